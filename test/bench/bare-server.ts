import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** Answers every request with the same bytes: the upper limit of an HTTP service on Node. */
const [, , port, file] = process.argv;
const body = readFileSync(file ?? '');
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length };
createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(port), '127.0.0.1');
