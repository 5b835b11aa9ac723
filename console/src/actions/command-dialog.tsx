import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { SuretyError } from '../../../clients/typescript/src/index.ts';
import { Failure, LoadStatus } from '../components/load-status.tsx';
import { reportDone } from '../requests/changes.ts';
import { useRequest } from '../requests/use-request.ts';
import { navigate } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { formIdOf } from './attempts.ts';
import { COMMANDS, type CommandName, operationIdOf } from './commands.ts';
import { type FormContext, Members } from './fields.tsx';
import { hasPreview, previewOf, type Preview, PreviewTable } from './preview.tsx';
import { bodySchemaOf, type Choice, isObject, type Schema, toBody, type Value, type Values } from './schema.ts';
import { useCommand } from './use-command.ts';

export interface CommandProps {
  readonly session: Session;
  readonly name: CommandName;
  /** What the command is about, in words and unlike that of any other thing: a number, or a name. */
  readonly about: string;
  /** Parameter of the path of a merchant's operation, where it has one. */
  readonly id?: string;
  /** Members of the body that the page knows; those that the schema does not have are left out. */
  readonly given?: Values;
  /**
   * Members that are neither given nor asked for, perhaps for what the form holds; of items of a list, without their
   * numbers: `changes.action`.
   */
  readonly omitted?: readonly string[] | ((values: Values) => readonly string[]);
  /** Members that are written as JSON, because no form says them, or chosen from `choices`, which are JSON too. */
  readonly asJson?: readonly string[];
  /** Members that must be given for this thing, though the schema has them as optional. */
  readonly required?: readonly string[];
  /** Whether it may be executed now. A form that is open stays, with what came of what was sent. */
  readonly isAllowed?: boolean;
  /** What the fields hold at first. Of an update only what differs from it is sent. */
  readonly initial?: Values;
  /** Values to choose from, by the name of the member. */
  readonly choices?: Readonly<Record<string, readonly Choice[]>>;
  /** Values to choose from or not, by the name of the member. */
  readonly suggestions?: Readonly<Record<string, readonly string[]>>;
  /** What the page shows, as the client got it: what has changed since is not changed unseen. */
  readonly guarded?: object | undefined;
  /** `primary` for the next thing that a person does here; `danger` for what ends or takes something. */
  readonly look?: 'primary' | 'danger' | 'plain';
  /** What a person should know before. */
  readonly notice?: ComponentChildren;
  /** Shows what came of it in the dialog; without it the dialog closes. */
  readonly outcome?: (response: unknown, again: () => void) => ComponentChildren;
  /** Returns the page that opens after it was executed. */
  readonly opens?: (response: unknown) => readonly string[];
  /** Called after it was executed, with what was sent. */
  readonly onDone?: (response: unknown, body: object) => void;
  /** Called when a field has changed. */
  readonly onTyped?: () => void;
}

/** A dialog with the form of a command. */
export function CommandDialog(props: CommandProps & { readonly onClose: () => void }) {
  const { name, about, onClose } = props;
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={heading}
      onClose={onClose}
      onCancel={(event) => {
        if (dialog.current?.querySelector('[aria-busy="true"]') !== null) event.preventDefault();
      }}
    >
      <header>
        <h2 id={heading}>{COMMANDS[name][0]}</h2>
        <bdi class="quiet small">{about}</bdi>
      </header>
      <CommandForm {...props} close={() => dialog.current?.close()} />
    </dialog>
  );
}

interface CommandFormProps extends CommandProps {
  /** Closes the dialog. A form on a page has none, and the page shows what came of it. */
  readonly close?: () => void;
}

/** The form of a command, when its schema has come. */
export function CommandForm(props: CommandFormProps) {
  const { session, name } = props;
  const schema = useRequest(name, async () => await bodySchemaOf(session.client, operationIdOf(session, name)));
  if (schema.value !== undefined) return <LoadedForm {...props} schema={schema.value} />;
  return (
    <div class="body stack">
      <LoadStatus state={schema} />
    </div>
  );
}

const NO_VALUES: Values = {};

/** The fields of a command, its preview, its refusal or what came of it. */
function LoadedForm(props: CommandFormProps & { readonly schema: Schema }) {
  const { session, name, about, id = '', given = NO_VALUES, initial = NO_VALUES, guarded, close } = props;
  const schema = withJson(props);
  const [label] = COMMANDS[name];
  const etag = guarded === undefined ? undefined : session.client.etagOf(guarded);
  const form = useCommand({ session, name, formId: formIdOf(session.me, name, `${id} ${about}`), id, etag });
  const [typed, setTyped] = useState<Values>(() => ({ ...initial, ...form.waiting?.body }));
  const [preview, setPreview] = useState<Preview>();
  const [outcome, setOutcome] = useState<{ readonly response: unknown }>();
  const isShown = useRef(true);
  useEffect(() => () => void (isShown.current = false), []);
  const { waiting, error, isBusy } = form;
  // What is shown once, as a key is, is shown in this dialog or never.
  const isAwaited = isBusy && props.outcome !== undefined;
  const known = membersOf(schema, given);
  const needsPreview = hasPreview(name) && preview === undefined && waiting === undefined;
  const omitted = typeof props.omitted === 'function' ? props.omitted(typed) : (props.omitted ?? []);
  const context: FormContext = {
    errors: new Map(error instanceof SuretyError ? error.errors.map(({ field, message }) => [field, message]) : []),
    isFixed: waiting !== undefined || isBusy,
    choices: props.choices ?? {},
    suggestions: props.suggestions ?? {},
    omitted: new Set([...Object.keys(given), ...omitted, 'expected_amount']),
  };

  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== undefined) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);

  const bodyOf = (): object => {
    const asked = Object.fromEntries(Object.entries(typed).filter(([member]) => !context.omitted.has(member)));
    const body = toBody(schema, asked, initial);
    const members = isObject(body) ? body : NO_VALUES;
    const sent = name.startsWith('Update')
      ? changedMembers({ ...emptied(asked), ...members }, toBody(schema, initial))
      : members;
    return { ...sent, ...known };
  };
  const submit = async (): Promise<void> => {
    const body = bodyOf();
    if (needsPreview) {
      const shown = await form.preview(body);
      if (shown !== undefined) setPreview(previewOf(name, shown.response));
      return;
    }
    const done = await form.execute(preview === undefined ? body : { ...body, expected_amount: preview.total[1] });
    setPreview(undefined);
    if (done === undefined) return;
    props.onDone?.(done.response, waiting?.body ?? body);
    if (close === undefined) return;
    if (props.outcome === undefined) close();
    else setOutcome(done);
    // Who has closed the form is elsewhere by now.
    const page = isShown.current ? props.opens?.(done.response) : undefined;
    reportDone(label, about, page);
    if (page !== undefined) navigate(page);
  };

  if (outcome !== undefined)
    return (
      <>
        <div class="body stack">{props.outcome?.(outcome.response, () => setOutcome(undefined))}</div>
        <footer>
          <CloseButton close={close} />
        </footer>
      </>
    );
  return (
    <form
      ref={element}
      noValidate
      aria-busy={isAwaited}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div class="body stack">
        {waiting !== undefined && (
          <p class="notice" role="status">
            {texts.noAnswerYet}
          </p>
        )}
        {props.notice}
        <Members
          context={context}
          schema={schema}
          required={props.required}
          values={typed}
          onValues={(values) => {
            setTyped(values);
            setPreview(undefined);
            props.onTyped?.();
          }}
        />
        {preview !== undefined && <PreviewTable preview={preview} />}
        {form.isRetrying && <p role="status">{texts.retrying}</p>}
        {error !== undefined && <Failure error={error} />}
      </div>
      <footer>
        <CloseButton close={close} isDisabled={isAwaited} />
        <button
          type="submit"
          class={lookOf(props, needsPreview)}
          disabled={isBusy}
          onClick={(event) => {
            // The second half of a double click on Preview would execute what was not seen.
            if (event.detail > 1) event.preventDefault();
          }}
        >
          {needsPreview ? texts.preview : label}
        </button>
      </footer>
    </form>
  );
}

/** In a dialog its deed is what is done next; a page may have something else. */
function lookOf({ close, look }: CommandFormProps, isPreview: boolean): CommandProps['look'] {
  return close === undefined || (look === 'danger' && !isPreview) ? look : 'primary';
}

interface CloseButtonProps {
  readonly close: (() => void) | undefined;
  readonly isDisabled?: boolean;
}

function CloseButton({ close, isDisabled }: CloseButtonProps) {
  return close === undefined ? null : (
    <button type="button" disabled={isDisabled} onClick={close}>
      {texts.close}
    </button>
  );
}

/** Returns the schema in which some members are any JSON. */
function withJson({ schema, asJson = [], choices = {} }: CommandFormProps & { readonly schema: Schema }): Schema {
  const json = asJson.map((name) => [name, Object.hasOwn(choices, name) ? {} : { description: texts.asJson }] as const);
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(json) } };
}

/** Returns the members that the schema of the body has. */
function membersOf({ properties = {} }: Schema, given: Values): Values {
  return Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(properties, name)));
}

/** Returns the texts that are empty: of an update, those that may not be are refused instead of left as they were. */
function emptied(typed: Values): Values {
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value === ''));
}

/** Returns the members that differ from those that the form would have sent at first. */
function changedMembers(members: Values, before: Value): Values {
  const isChanged = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify((isObject(before) ? before[name] : undefined) ?? '');
  return Object.fromEntries(Object.entries(members).filter(isChanged));
}
