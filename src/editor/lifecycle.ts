import { ErrorCodes, Message } from 'vscode-languageserver';
import type { MessageStrategy, ResponseMessage } from 'vscode-languageserver';

type Stage = 'new' | 'open' | 'shut-down';

/**
 * Holds a client to the order of the protocol: `initialize` first and once, nothing but `exit` after `shutdown`. A request at another time gets an
 * error, which `reply` sends; a notification is dropped.
 */
export function lifecycle(reply: (answer: ResponseMessage) => void): MessageStrategy {
  let stage: Stage = 'new';
  return {
    handleMessage: (message, next) => {
      if (Message.isRequest(message)) {
        const error = refusal(stage, message.method);
        if (error !== undefined) {
          return reply({ jsonrpc: '2.0', id: message.id, error });
        }
        stage = message.method === 'shutdown' ? 'shut-down' : 'open';
      } else if (Message.isNotification(message) && stage !== 'open' && message.method !== 'exit') {
        return undefined;
      }
      return next(message);
    },
  };
}

function refusal(stage: Stage, method: string): ResponseMessage['error'] {
  if (stage === 'shut-down') {
    return { code: ErrorCodes.InvalidRequest, message: 'the server is shut down' };
  }
  if (stage === 'new' && method !== 'initialize') {
    return { code: ErrorCodes.ServerNotInitialized, message: 'initialize comes first' };
  }
  return stage === 'open' && method === 'initialize'
    ? { code: ErrorCodes.InvalidRequest, message: 'initialize comes once' }
    : undefined;
}
