import type { Json } from './page.ts';
import type { Schema } from './schemas.ts';

type Members = Readonly<Record<string, Schema>>;

/**
 * Returns the schema of a form whose documents are files, from the schema of the body in JSON. The page of the reference fills a form
 * with the examples of its single fields, and a day without an example with the present day.
 */
export function formSchema(schema: Schema, example: Json = {}): Schema {
  const { documents, ...others } = schema.properties as Members;
  const { minItems, maxItems } = documents ?? {};
  const files: Schema = {
    type: 'array',
    description: 'Files; the name of each becomes its `document_name`',
    items: { type: 'string', format: 'binary' },
    // Where no file is needed, the page of the reference begins with none.
    ...(minItems === undefined ? { examples: [[]] } : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
  const fields = withExamples({ ...schema, properties: others }, example);
  return { ...fields, properties: { ...fields.properties, documents: files } };
}

/** Adds an example to each field that the example has. */
function withExamples(schema: Schema, example: Json): Schema {
  if (typeof example !== 'object' || example === null) return { ...schema, examples: [example] };
  const values = example as Readonly<Record<string, Json>>;
  const properties = Object.entries((schema.properties ?? {}) as Members).map(([name, member]) => {
    const value = values[name];
    return [name, value === undefined ? member : withExamples(member, value)] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
