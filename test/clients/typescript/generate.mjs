/** Writes the types of the API, of openapi.json in this folder, to api.ts. Files are Blobs; a field with a default may be left out. */
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const blob = ts.factory.createTypeReferenceNode('Blob');
const types = await openapiTS(await readFile('openapi.json', 'utf8'), {
  defaultNonNullable: false,
  transform: ({ format }) => (format === 'binary' ? blob : undefined),
});
await writeFile('api.ts', astToString(types));
