import type { z } from 'zod';
import type * as handling from '../src/command-handling/command.ts';
import type { ActingEnvironment } from '../src/domain/environment/acting-environment.ts';
import type { ReservationEvent } from '../src/domain/reservations.ts';
import type { DomainEvent } from '../src/event-sourcing/event.ts';
import type { CommandServices } from './services.ts';

export type CommandContext = handling.CommandContext<ActingEnvironment, CommandServices, ReservationEvent>;

export function defineCommand<Schema extends z.ZodType, E extends DomainEvent, State, Command>(
  definition: handling.CommandDefinition<Schema, E, CommandContext, State, Command>,
): handling.CommandDefinition<Schema, E, CommandContext, State, Command> {
  return definition;
}
