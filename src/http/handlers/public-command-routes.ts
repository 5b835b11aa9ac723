import { z } from 'zod';
import { findCommand } from '../../../commands/registry.ts';
import { claimShape, day, policyShape } from '../../../queries/shapes.ts';
import { normalised } from '../../domain/identifiers.ts';
import { parseInput } from '../../domain/input.ts';
import { wrongField } from '../../domain/refusals.ts';
import { carryOut, outcomeAnswer, presentedResult } from './carry-out.ts';
import { inputSchemaOf } from '../bodies/coerce.ts';
import { readCommandBody } from '../bodies/command-body.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { judgedTogether } from './judged-together.ts';
import { parseSearch } from '../messages/query-string.ts';
import type { KeyedCall, KeyedRoute, Role } from '../route.ts';

type Body = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;

/** A command that merchants run under a path of its own. */
interface PublicCommand {
  readonly name: string;
  readonly path: string;
  readonly roles: readonly Role[];
  readonly otherRoles: KeyedRoute['otherRoles'];
  readonly problemMembers?: Readonly<Record<string, unknown>>;
  /** Parameters of the query string that belong to the command's input. */
  readonly search: z.ZodObject;
  /** `If-Match` is compared with the revision of what the command changes. */
  readonly conditional: boolean;
  readonly answer: z.ZodType;
}

const noParameters = z.strictObject({});

const renewed = z.strictObject({
  renewal_status: z.literal('success'),
  message: z.string(),
  data: z.strictObject({
    policy_id: z.uuid(),
    policy_number: z.string().nullable(),
    policy_duration: z.int(),
    policy_metadata: z.strictObject({
      product_name: z.string(),
      product_type: z.string(),
      insurer: z.string(),
      customer_name: z.string(),
      customer_email: z.string(),
      customer_phone: z.string().nullable(),
      customer_address: z.string().nullable(),
      policy_status: z.string(),
      policy_id: z.uuid(),
      renewable: z.boolean(),
    }),
    renewal_date: day,
  }),
});

const cancelled = z.strictObject({
  cancellation_status: z.literal('success'),
  message: z.string(),
  data: z.strictObject({
    policy_id: z.uuid(),
    policy_number: z.string(),
    policy_status: z.literal('cancelled'),
    cancellation_date: z.iso.datetime(),
    cancellation_reason: z.string(),
    cancellation_initiator: z.string(),
  }),
});

const PUBLIC_COMMANDS: readonly PublicCommand[] = [
  {
    name: 'PurchasePolicy',
    path: '/api/v1/policies',
    roles: ['merchant'],
    otherRoles: 'merchant_key_required',
    search: noParameters,
    conditional: false,
    answer: policyShape,
  },
  {
    name: 'RenewPolicy',
    path: '/api/v1/policies/renew',
    roles: ['merchant'],
    otherRoles: 'merchant_key_required',
    problemMembers: { renewal_status: 'failed' },
    search: noParameters,
    conditional: true,
    answer: renewed,
  },
  {
    name: 'CancelPolicy',
    path: '/api/v1/policies/cancel',
    roles: ['merchant'],
    otherRoles: 'merchant_key_required',
    search: z.strictObject({ policy_id: z.uuid().optional(), policy_number: z.string().min(1).max(255).optional() }),
    conditional: true,
    answer: cancelled,
  },
  {
    name: 'SubmitClaim',
    path: '/api/v1/claims',
    roles: ['merchant'],
    otherRoles: 'merchant_key_required',
    search: noParameters,
    conditional: false,
    answer: claimShape,
  },
  {
    name: 'RegisterProvider',
    path: '/api/v1/onboarding/providers/registration',
    roles: ['merchant', 'admin'],
    otherRoles: 'forbidden',
    search: noParameters,
    conditional: false,
    answer: z.strictObject({ provider_id: z.uuid(), name: z.string(), support_email: z.string().nullable() }),
  },
];

/** The routes of the commands that merchants run. */
export function publicCommandRoutes(dependencies: HttpDependencies): readonly KeyedRoute[] {
  return PUBLIC_COMMANDS.map((definition) => publicCommandRoute(definition, dependencies));
}

function publicCommandRoute(definition: PublicCommand, dependencies: HttpDependencies): KeyedRoute {
  const { name, path, roles, otherRoles, problemMembers, search, conditional, answer } = definition;
  const command = findCommand(name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  const bodySchema = inputSchemaOf(command.input);
  return {
    name,
    summary: command.summary,
    method: 'POST',
    path,
    kind: 'command',
    roles,
    otherRoles,
    ...(problemMembers === undefined ? {} : { problemMembers }),
    reference: { search, body: command.input, answer, status: command.creates ? 201 : 200, paged: false },
    handle: async (call: KeyedCall) => {
      const body = await readCommandBody(call.request, command, bodySchema);
      const { input } = await judgedTogether({
        parameters: () => parseInput(search, parseSearch(call.search)),
        input: () => parseInput(command.input, joined(body, known(call.search, search))),
      });
      const { environment } = call.caller;
      const asked = { call, route: { path }, command, input, environment, body, conditional };
      const outcome = await carryOut(asked, dependencies);
      const result = await presentedResult(outcome, dependencies.commandPorts.records);
      return await outcomeAnswer(outcome, result, dependencies);
    },
  };
}

/** Body and query parameters as one input. @throws {Refusal} `invalid_request` when they name different things */
function joined(body: Body, parameters: Texts): Body {
  for (const [name, value] of Object.entries(parameters)) {
    const inBody = body[name];
    if (typeof inBody === 'string' && normalised(inBody) !== normalised(value)) {
      throw wrongField(name, 'must name the same policy in the body and in the query string');
    }
  }
  return { ...parameters, ...body };
}

/** What of a query string belongs to the command's input, right or wrong: so that body and query are judged in one go. */
function known(text: string, search: z.ZodObject): Texts {
  return Object.fromEntries([...new URLSearchParams(text)].filter(([name]) => Object.hasOwn(search.shape, name)));
}
