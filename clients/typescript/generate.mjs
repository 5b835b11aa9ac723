/**
 * Reads the API document from standard input and writes the TypeScript of its types to standard output. It needs
 * TypeScript 5, which is why it runs in this workspace.
 */
import { text } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const document = JSON.parse(await text(process.stdin));
const blob = ts.factory.createTypeReferenceNode('Blob');
const types = await openapiTS(document, {
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  transform: ({ format }) => (format === 'binary' ? blob : undefined),
});
process.stdout.write(
  `/** Generated from the API document and the schemas of public events by generate.mjs. Do not edit. */\n\n${astToString(types)}`,
);
