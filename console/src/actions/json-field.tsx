import { useId } from 'preact/hooks';
import { labelOf } from '../format.ts';
import { texts } from '../texts.ts';
import { administerTexts as more } from '../texts-administer.ts';
import type { FormContext } from './fields.tsx';
import { isObject, jsonOf, type Values } from './schema.ts';

/** Returns the members that are written as JSON; undefined where the text is no object. */
export function jsonMembers(text: string): Values | undefined {
  const value = text.trim() === '' ? {} : jsonOf(text);
  return isObject(value) ? value : undefined;
}

/** Returns some members of a body as JSON; nothing where it has none of them. */
export function jsonText(values: Values, names: readonly string[]): string {
  const members = Object.entries(values).filter(([name]) => names.includes(name));
  return members.length === 0 ? '' : JSON.stringify(Object.fromEntries(members), null, 2);
}

interface JsonFieldProps {
  readonly context: FormContext;
  readonly names: readonly string[];
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The members of a body that are written as one JSON object, because no form says them. */
export function JsonField({ context, names, text, onText }: JsonFieldProps) {
  const id = useId();
  const errors = [...context.errors].filter(([field]) => names.includes(field.split('.', 1)[0] ?? ''));
  const isWrong = jsonMembers(text) === undefined;
  return (
    <div class="field">
      <label htmlFor={id}>
        {more.asJson(names.map(labelOf).join(', '))}
        <span class="quiet"> {texts.optional}</span>
      </label>
      <textarea
        id={id}
        class="code"
        rows={8}
        spellcheck={false}
        value={text}
        disabled={context.isFixed}
        aria-invalid={isWrong || errors.length > 0}
        aria-describedby={`${id}-help`}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <span id={`${id}-help`}>
        {isWrong && <span class="wrong">{more.notJson}</span>}
        {errors.map(([field, message]) => (
          <span key={field} class="wrong">
            <code>{field}</code> {message}
          </span>
        ))}
        <span class="help">{more.asJsonHelp(names.join(', '))}</span>
      </span>
    </div>
  );
}
