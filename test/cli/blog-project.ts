import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the zone blog.example with a rule that the zone does not have in the embedded service. */
export const BLOG_FILE = `zone: blog.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - { ref: no-xmlrpc, expression: http.request.uri.path eq "/xmlrpc.php", action: block }
`;

/** Writes a project with only this file into a folder. */
export async function writeBlogProject(folder: string): Promise<void> {
  await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\n');
  await writeFile(join(folder, 'zone.yaml'), BLOG_FILE);
}
