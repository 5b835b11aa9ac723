import { useId } from 'preact/hooks';
import { labelOf } from '../format.ts';
import { texts } from '../texts.ts';
import { Files } from './files.tsx';
import {
  type Choice,
  choiceOf,
  isAnyJson,
  isObject,
  plainSchema,
  type Schema,
  tagOf,
  tagValuesOf,
  type Value,
  type Values,
} from './schema.ts';

/** Returns the label of a member, or of one of its values, where the word of the API is not that of the console. */
function wordsOf(name: string): string {
  return Object.hasOwn(texts.fields, name) ? texts.fields[name as keyof typeof texts.fields] : labelOf(name);
}

/** What all fields of a form share. */
export interface FormContext {
  /** What the service said about fields, by their paths. */
  readonly errors: ReadonlyMap<string, string>;
  /** Whether nothing may be changed: what was sent waits for its answer. */
  readonly isFixed: boolean;
  /** Values to choose from, by the name of the member. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** Values to choose from or not, by the name of the member. */
  readonly suggestions: Readonly<Record<string, readonly string[]>>;
  /** Paths, without the numbers of items, of members without a field. */
  readonly omitted: ReadonlySet<string>;
}

interface FieldProps {
  readonly context: FormContext;
  /** Dotted path from the root of the body. */
  readonly path: string;
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}

interface MembersProps {
  readonly context: FormContext;
  readonly path?: string;
  readonly schema: Schema;
  /** Members that must be given, beside those of the schema. */
  readonly required?: readonly string[] | undefined;
  readonly values: Values;
  readonly onValues: (values: Values) => void;
}

/** The fields of an object, in the order of its schema: first those that must be filled. */
export function Members({ context, path, schema, required = [], values, onValues }: MembersProps) {
  const { properties = {} } = schema;
  const pathOf = (name: string): string => (path === undefined ? name : `${path}.${name}`);
  const isOmitted = (name: string): boolean => context.omitted.has(pathOf(name).replaceAll(/\.\d+(?=\.)/g, ''));
  const isRequired = (name: string): boolean => required.includes(name) || schema.required?.includes(name) === true;
  return (
    <>
      {Object.entries(properties)
        .filter(([name, member]) => !isOmitted(name) && member.const === undefined)
        .toSorted(([one], [other]) => Number(isRequired(other)) - Number(isRequired(one)))
        .map(([name, member]) => (
          <Field
            key={name}
            context={context}
            path={pathOf(name)}
            name={name}
            schema={member}
            isRequired={isRequired(name)}
            value={values[name]}
            onValue={(value) => onValues({ ...values, [name]: value })}
          />
        ))}
    </>
  );
}

/** A field, or the fields of what it is made of. */
function Field(props: FieldProps) {
  const schema = plainSchema(props.schema);
  const own = { ...props, schema };
  if (schema.oneOf !== undefined) return <Variant {...own} />;
  if (schema.type === 'array') return isFile(schema.items) ? <FilesField {...own} /> : <Items {...own} />;
  if (schema.properties !== undefined) return <Group {...own} />;
  if (schema.type === 'boolean') return <Check {...own} />;
  return <Input {...own} />;
}

function isFile(items: Schema | undefined): boolean {
  return Object.values(items?.properties ?? {}).some(({ contentEncoding }) => contentEncoding === 'base64');
}

interface HelpProps {
  readonly id: string;
  readonly schema: Schema;
  readonly error: string | undefined;
}

/** What a field is for, and what the service says about it. */
function Help({ id, schema: { description, type }, error }: HelpProps) {
  return (
    <span id={id}>
      {error !== undefined && <span class="wrong">{error}</span>}
      {description !== undefined && !isOfDigits(description) && <span class="help">{inWords(description)}</span>}
      {type === 'object' && <span class="help">{texts.asLines}</span>}
    </span>
  );
}

/** Returns a description of the API in words of a form. */
function inWords(description: string): string {
  const words = description.replaceAll('`', '').replace('null clears it', texts.emptyClears);
  return words.replace('when left out', texts.whenEmpty);
}

/** Whether a description only has the digits of an amount, of which a person needs to know nothing. */
function isOfDigits(description: string): boolean {
  return description.startsWith('Amount with at most');
}

function Optional({ isRequired }: { readonly isRequired: boolean }) {
  return isRequired ? null : <span class="quiet"> {texts.optional}</span>;
}

function Check({ context, path, name, schema, value, onValue }: FieldProps) {
  const help = useId();
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          checked={value === true}
          disabled={context.isFixed}
          aria-describedby={help}
          onChange={({ currentTarget }) => onValue(currentTarget.checked)}
        />
        {wordsOf(name)}
      </label>
      <Help id={help} schema={schema} error={context.errors.get(path)} />
    </div>
  );
}

function Input({ context, path, name, schema, isRequired, value, onValue }: FieldProps) {
  const help = useId();
  const id = useId();
  const inJson = [...context.errors].filter(([field]) => field.startsWith(`${path}.`));
  const error = context.errors.get(path) ?? inJson.map((one) => one.join(': '))[0];
  const attributes = {
    id,
    value:
      typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value, null, 2),
    required: isRequired,
    disabled: context.isFixed,
    maxLength: schema.maxLength,
    'aria-invalid': error !== undefined,
    'aria-describedby': help,
  };
  const onInput = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    onValue(currentTarget.value);
  const date = dateType(schema);
  const suggestions = context.suggestions[name];
  const choices = context.choices[name] ?? schema.enum?.map((one) => ({ value: one, label: wordsOf(one) }));
  return (
    <div class="field">
      <label htmlFor={id}>
        {wordsOf(name)}
        <Optional isRequired={isRequired} />
      </label>
      {choices !== undefined ? (
        <select {...attributes} onChange={onInput}>
          {choices.every((choice) => choice.value !== '') && <option value="">{texts.choose}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : isLong(schema) ? (
        <textarea {...attributes} rows={3} dir="auto" onInput={onInput} />
      ) : date !== undefined ? (
        <input {...attributes} type={date} onInput={onInput} />
      ) : (
        <input
          {...attributes}
          type="text"
          inputMode={keyboardOf(schema)}
          list={suggestions && `${id}-suggestions`}
          placeholder={isRequired && suggestions === undefined ? exampleOf(schema) : undefined}
          dir="auto"
          onInput={onInput}
        />
      )}
      {suggestions !== undefined && (
        <datalist id={`${id}-suggestions`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <Help id={help} schema={schema} error={error} />
    </div>
  );
}

/** Whether a text has room for more than a line, as a reason has, or is JSON. */
function isLong(schema: Schema): boolean {
  return isAnyJson(schema) || (schema.maxLength ?? 0) > 300;
}

function dateType({ format }: Schema): 'date' | 'datetime-local' | undefined {
  if (format === 'date') return format;
  return format === 'date-time' ? 'datetime-local' : undefined;
}

function exampleOf({ examples: [example] = [] }: Schema): string | undefined {
  return typeof example === 'string' ? texts.suchAs(example) : undefined;
}

function keyboardOf({ type, format }: Schema): 'email' | 'numeric' | 'decimal' | 'text' {
  if (format === 'email') return 'email';
  if (type === 'integer') return 'numeric';
  return Array.isArray(type) || type === 'number' ? 'decimal' : 'text';
}

/** The members of an object. Where it may be left out, they are folded away until someone wants them. */
function Group({ context, path, name, schema, isRequired, value, onValue }: FieldProps) {
  const values = isObject(value) ? value : {};
  const members = <Members context={context} path={path} schema={schema} values={values} onValues={onValue} />;
  const isWrong = [...context.errors.keys()].some((field) => field.startsWith(`${path}.`));
  if (isRequired)
    return (
      <fieldset>
        <legend>{wordsOf(name)}</legend>
        {members}
      </fieldset>
    );
  return (
    <details class="fieldset" open={isWrong || Object.keys(values).length > 0 || undefined}>
      <summary>
        {wordsOf(name)}
        <Optional isRequired={false} />
      </summary>
      <div class="stack">{members}</div>
    </details>
  );
}

/** One of some kinds of objects, which a member names that is the same in all objects of a kind. */
function Variant({ context, path, name, schema, value, onValue }: FieldProps) {
  const { oneOf = [] } = schema;
  const tag = tagOf(oneOf);
  const choice = choiceOf(oneOf, value);
  const values = isObject(value) ? value : {};
  const tagged: Schema = { enum: oneOf.flatMap((one) => tagValuesOf(one, tag)) };
  const withoutTag = { ...context, omitted: new Set([...context.omitted, `${path}.${tag}`]) };
  return (
    <fieldset>
      <legend>{wordsOf(name)}</legend>
      <Input
        context={context}
        path={`${path}.${tag}`}
        name={tag}
        schema={tagged}
        isRequired
        value={values[tag]}
        onValue={(chosen) => onValue({ [tag]: chosen })}
      />
      {choice !== undefined && (
        <Members context={withoutTag} path={path} schema={choice} values={values} onValues={onValue} />
      )}
    </fieldset>
  );
}

/** A list of values or objects that grows and shrinks. */
function Items({ context, path, name, schema, isRequired, value, onValue }: FieldProps) {
  const { items = {}, minItems = 0, maxItems = 100 } = schema;
  const list: readonly Value[] = Array.isArray(value) ? (value as Value[]) : minItems > 0 && isRequired ? [{}] : [];
  const replace = (index: number, item: Value): void => onValue(list.with(index, item));
  const error = context.errors.get(path);
  return (
    <fieldset>
      <legend>
        {wordsOf(name)}
        <Optional isRequired={isRequired} />
      </legend>
      {error !== undefined && <span class="wrong">{error}</span>}
      {list.map((item, index) => (
        <div class="item" key={index}>
          {plainSchema(items).properties === undefined ? (
            <Field
              context={context}
              path={`${path}.${index}`}
              name={`${name} ${index + 1}`}
              schema={items}
              isRequired
              value={item}
              onValue={(changed) => replace(index, changed)}
            />
          ) : (
            <Members
              context={context}
              path={`${path}.${index}`}
              schema={plainSchema(items)}
              values={isObject(item) ? item : {}}
              onValues={(changed) => replace(index, changed)}
            />
          )}
          {!context.isFixed && (
            <button type="button" class="quiet" onClick={() => onValue(list.filter((_, place) => place !== index))}>
              {texts.remove}
            </button>
          )}
        </div>
      ))}
      {!context.isFixed && list.length < maxItems && (
        <button type="button" onClick={() => onValue([...list, plainSchema(items).properties === undefined ? '' : {}])}>
          {texts.addOne}
        </button>
      )}
    </fieldset>
  );
}

function FilesField({ context, path, name, schema, isRequired, value, onValue }: FieldProps) {
  return (
    <fieldset>
      <legend>
        {wordsOf(name)}
        <Optional isRequired={isRequired} />
      </legend>
      {[...context.errors].map(
        ([field, message]) =>
          field.startsWith(path) && (
            <span key={field} class="wrong">
              {message}
            </span>
          ),
      )}
      <Files value={value} maxItems={schema.maxItems} isFixed={context.isFixed} onValue={onValue} />
    </fieldset>
  );
}
