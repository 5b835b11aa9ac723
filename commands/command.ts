import type { z } from 'zod';
import type { CommandContext, CommandDefinition, Decision } from '#event-sourcing/executor/command.ts';
import type { ActingEnvironment } from '#domain/environment/environment.ts';
import type { Access, Authority } from '#domain/values/rights.ts';
import type { OperationText } from '#domain/operation.ts';
import type { ReservationEvent } from '#domain/reservations.ts';
import type { Tags } from '#domain/tags.ts';
import type { DomainEvent, NewEvent } from '#event-sourcing/event.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { CommandServices, Resources } from './services.ts';
import type { ExistingStream } from './shared/require-existing.ts';

export type { CommandContext } from '#event-sourcing/executor/command.ts';

/** What limits who sends a command, besides the role. */
interface SenderRights {
  /** The insurer for which an insurer's key acts; null for other roles. */
  readonly providerId: string | null;
  readonly authority: Authority | null;
  readonly access: Access;
}

declare module '#event-sourcing/executor/application.ts' {
  interface Application {
    readonly environment: ActingEnvironment;
    readonly rights: SenderRights;
    readonly services: CommandServices;
    readonly reservation: ReservationEvent;
  }
}

/** A command that a client can send, with what the API reference shows of it. */
interface ClientCommand<
  Schema extends z.ZodType = z.ZodType,
  E extends DomainEvent = DomainEvent,
  State = unknown,
  Command = never,
> extends CommandDefinition<Schema, E, State, Command>,
    OperationText {
  /**
   * Whole input of an example request, without `environment_id`, which the platform adds. It succeeds on the sample
   * data, whose ids are the same at every start.
   */
  readonly example: z.input<Schema>;
  /** Schema of the result; also of the response of the public operation, unless that shows a resource. */
  readonly response?: z.ZodType;
  /** Set when every role may send it, also one that may only read, because it concerns the sender alone. */
  readonly isOwn?: true;
  /** In place of `response`: the resource that is the result, whose schema the read side has. */
  readonly resource?: keyof Resources;
}

export type AnyCommand = ClientCommand;

/** Of a command that only a process runs. No client can send it, so the API reference has nothing of it. */
interface System {
  readonly roles: readonly [];
  readonly process: string;
}

export function defineCommand<Schema extends z.ZodType, E extends DomainEvent, State, Command>(
  definition: ClientCommand<Schema, E, State, Command>,
): ClientCommand<Schema, E, State, Command> {
  return definition;
}

export function defineSystemCommand<Schema extends z.ZodType, E extends DomainEvent, State, Command>(
  definition: CommandDefinition<Schema, E, State, Command> & System,
): CommandDefinition<Schema, E, State, Command> {
  return definition;
}

/** A definition without what its steps make of it. */
type WithoutSteps<Definition> = Omit<Definition, 'handle' | 'decide'>;

/**
 * The steps of a command that changes one resource, which exists: it appends what `decide` returns to the stream that
 * `find` returns.
 */
interface Steps<Schema extends z.ZodType, E extends DomainEvent, State, LookedUp> {
  /**
   * Loads the target with `loadTarget`, and writes nothing.
   * @throws {Refusal} when there is none, or the caller may not change it
   */
  find(input: z.output<Schema>, context: CommandContext): Promise<ExistingStream<State>>;
  /**
   * Does what precedes the decision, such as what is due on the target, after `If-Match` was compared with what `find`
   * returned. What it records stays, also if the command is refused.
   * @returns the target as it is then
   */
  prepare?(
    input: z.output<Schema>,
    context: CommandContext,
    found: ExistingStream<State>,
  ): Promise<ExistingStream<State>>;
  /** Looks up what `decide` needs besides the input and the time. */
  lookUp?(
    input: z.output<Schema>,
    context: CommandContext,
    target: ExistingStream<State>,
  ): LookedUp | Promise<LookedUp>;
  decide(this: void, state: State, command: ChangeOf<Schema, LookedUp>): readonly NewEvent<E>[];
  /**
   * Reserves the unique values that the decision gives the resource, before its events are appended.
   * @throws {Refusal}
   */
  reserve?(
    command: ChangeOf<Schema, LookedUp>,
    context: CommandContext,
    decision: Decision & { readonly target: ExistingStream<State> },
  ): Promise<void>;
  /** Default: none. */
  readonly tags?: (state: State) => Tags;
}

/** What `decide` gets: the input, the time of the command, and what was looked up. */
type ChangeOf<Schema extends z.ZodType, LookedUp> = z.output<Schema> & { readonly now: Instant } & LookedUp;

export function defineChange<Schema extends z.ZodType, E extends DomainEvent, State, LookedUp = object>(
  change: WithoutSteps<ClientCommand<Schema, E, State>> & Steps<Schema, E, State, LookedUp>,
): ClientCommand<Schema, E, State, ChangeOf<Schema, LookedUp>> {
  return { ...change, ...stepsOf(change) };
}

export function defineSystemChange<Schema extends z.ZodType, E extends DomainEvent, State, LookedUp = object>(
  change: WithoutSteps<CommandDefinition<Schema, E, State>> & Steps<Schema, E, State, LookedUp> & System,
): CommandDefinition<Schema, E, State, ChangeOf<Schema, LookedUp>> {
  return { ...change, ...stepsOf(change) };
}

function stepsOf<Schema extends z.ZodType, E extends DomainEvent, State, LookedUp>(
  change: Steps<Schema, E, State, LookedUp> & Pick<CommandDefinition, 'takesIfMatch'>,
): Pick<CommandDefinition<Schema, E, State, ChangeOf<Schema, LookedUp>>, 'decide' | 'handle'> {
  const decide = change.decide as CommandDefinition<Schema, E, State, ChangeOf<Schema, LookedUp>>['decide'];
  return {
    decide,
    handle: async (input, context) => {
      const found = await change.find(input, context);
      if (change.takesIfMatch === true) context.checkIfMatch(found);
      const target = (await change.prepare?.(input, context, found)) ?? found;
      const lookedUp = (await change.lookUp?.(input, context, target)) as LookedUp;
      const command = { ...(input as object), now: context.now, ...lookedUp } as ChangeOf<Schema, LookedUp>;
      const events = decide(target.state, command);
      const decision = { target, events, tags: change.tags?.(target.state) ?? {} };
      await change.reserve?.(command, context, decision);
      return decision;
    },
  };
}
