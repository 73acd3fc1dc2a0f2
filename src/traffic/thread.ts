import { parentPort, workerData } from 'node:worker_threads';
import { createReplayer } from './replayer.ts';
import type { ReplayOptions } from './replayer.ts';
import type { FromThread, ToThread } from './threads.ts';

// What a thread of a replay runs: it counts what it is given, until there is no more.
const options: ReplayOptions = workerData;
const replayer = createReplayer(options);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
const tell = (message: FromThread): void => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'lines') {
    replayer.read(message.block);
    tell({ kind: 'read', hopeless: replayer.hopeless() });
  } else {
    tell({ kind: 'part', part: replayer.finish() });
  }
});
