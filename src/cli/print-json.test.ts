import { expect, test } from '@jest/globals';
import { indentJson } from './print-json.ts';

test('JSON is indented, and the page of a proxy is left as it is', () => {
  expect(indentJson('{"a":[1,"2"]}')).toBe('{\n  "a": [\n    1,\n    "2"\n  ]\n}');
  expect(indentJson('<h1>502 Bad Gateway</h1>')).toBe('<h1>502 Bad Gateway</h1>');
});
