import type { Me, SuretyClient } from '../../../clients/typescript/src/index.ts';

/** What a session says of who executes. */
interface Caller {
  readonly me: Pick<Me, 'role' | 'access'>;
}

/** Roles that execute commands; an auditor executes none but what its pages have. */
type Role = Me['role'];

/** Roles that work claims. */
export const HANDLERS: readonly Role[] = ['claims', 'insurer', 'admin'];
const OF_CLAIM: readonly Role[] = ['merchant', 'claims', 'insurer', 'admin'];
const AGENT: readonly Role[] = ['merchant'];
const ADMINISTRATOR: readonly Role[] = ['admin'];

/** The words of a command's button and heading, and the roles that have the button. */
export const COMMANDS = {
  RequestQuotes: ['Show offers', AGENT],
  PurchasePolicy: ['Buy', AGENT],
  SubmitClaim: ['File claim', ['merchant', 'claims', 'admin']],
  RenewPolicy: ['Renew', AGENT],
  CancelPolicy: ['Cancel policy', AGENT],
  ChangePolicy: ['Change cover', AGENT],
  SetAutoRenew: ['Automatic renewal', AGENT],
  SetBeneficiaries: ['Beneficiaries', AGENT],
  UpdateCustomer: ['Edit customer', ['merchant', 'admin']],
  ActivatePolicy: ['Activate', ADMINISTRATOR],
  DeclinePolicy: ['Decline', ADMINISTRATOR],
  ReinstatePolicy: ['Reinstate', ADMINISTRATOR],
  WithdrawTerm: ['Withdraw term', ADMINISTRATOR],
  AssignClaim: ['Assign', HANDLERS],
  ReviewClaim: ['Start review', HANDLERS],
  SendClaimForApproval: ['Send for approval', HANDLERS],
  ApproveClaim: ['Approve', HANDLERS],
  SendClaimOffer: ['Send offer', HANDLERS],
  AcceptClaimOffer: ['Accept offer', OF_CLAIM],
  RejectClaimOffer: ['Reject offer', OF_CLAIM],
  PayClaim: ['Pay', HANDLERS],
  ReversePayment: ['Reverse payment', HANDLERS],
  DenyClaim: ['Deny', HANDLERS],
  WithdrawClaim: ['Withdraw', OF_CLAIM],
  ReopenClaim: ['Reopen', HANDLERS],
  ReviseClaim: ['Revise', HANDLERS],
  AddClaimDocuments: ['Add document', OF_CLAIM],
  AddClaimNote: ['Add note', OF_CLAIM],
  RegisterMerchant: ['Register merchant', ADMINISTRATOR],
  UpdateMerchant: ['Edit merchant', ADMINISTRATOR],
  ConfirmKyc: ['Confirm KYC', ADMINISTRATOR],
  ResendVerification: ['Send verification mail', ADMINISTRATOR],
  CreateEnvironment: ['Add environment', ADMINISTRATOR],
  IssueApiKey: ['Issue key', ADMINISTRATOR],
  RevokeApiKey: ['Revoke key', ADMINISTRATOR],
  AddPerson: ['Add person', ADMINISTRATOR],
  UpdatePerson: ['Edit person', ADMINISTRATOR],
  RemovePerson: ['Remove person', ADMINISTRATOR],
  EndSessions: ['End sessions', ADMINISTRATOR],
  RegisterProvider: ['Register insurer', ADMINISTRATOR],
  UpdateProvider: ['Edit insurer', ADMINISTRATOR],
  ConfirmProvider: ['Confirm insurer', ADMINISTRATOR],
  WithdrawProvider: ['Withdraw insurer', ADMINISTRATOR],
  AddProduct: ['Add product', ADMINISTRATOR],
  UpdateProduct: ['Edit product', ADMINISTRATOR],
  WithdrawProduct: ['Withdraw product', ADMINISTRATOR],
  RestoreProduct: ['Restore product', ADMINISTRATOR],
  RetryParked: ['Try again', ADMINISTRATOR],
  ResendMail: ['Send again', ADMINISTRATOR],
  RequestRebuild: ['Rebuild', ADMINISTRATOR],
} as const satisfies Readonly<Record<string, readonly [label: string, roles: readonly Role[]]>>;

export type CommandName = keyof typeof COMMANDS;

/** Settings of an attempt to execute a command. */
export interface SendOptions {
  readonly idempotencyKey?: string;
  readonly ifMatch?: string | undefined;
  readonly preview?: boolean;
  readonly onRetry?: () => void;
}

/** Calls an operation; the id is the parameter of its path, where it has one. The body is one of its form. */
type Call = (client: SuretyClient, id: string, body: never, options: SendOptions) => Promise<unknown>;

/** The operations of a merchant. Those of the platform are the commands of the back office. */
const OF_MERCHANT: Partial<Readonly<Record<CommandName, Call>>> = {
  RequestQuotes: async ({ quotes }, _id, body, options) => await quotes.requestWithReasons(body, undefined, options),
  PurchasePolicy: async ({ policies }, _id, body, options) => await policies.purchase(body, options),
  SubmitClaim: async ({ claims }, _id, body, options) => await claims.submit(body, options),
  RenewPolicy: async ({ policies }, _id, body, options) => await policies.renew(body, options),
  CancelPolicy: async ({ policies }, _id, body, options) => await policies.cancel(body, options),
  ChangePolicy: async ({ policies }, id, body, options) => await policies.change(id, body, options),
  SetAutoRenew: async ({ policies }, id, body, options) => await policies.setAutoRenew(id, body, options),
  SetBeneficiaries: async ({ policies }, id, body, options) => await policies.setBeneficiaries(id, body, options),
  UpdateCustomer: async ({ customers }, id, body, options) => await customers.update(id, body, options),
  AcceptClaimOffer: async ({ claims }, id, _body, options) => await claims.acceptOffer(id, options),
  RejectClaimOffer: async ({ claims }, id, body, options) => await claims.rejectOffer(id, body, options),
  WithdrawClaim: async ({ claims }, id, body, options) => await claims.withdraw(id, body, options),
  AddClaimDocuments: async ({ claims }, id, body, options) => await claims.addDocuments(id, body, options),
  AddClaimNote: async ({ claims }, id, body, options) => await claims.addNote(id, body, options),
};

/** What the platform does by operations of their own. */
const OF_PLATFORM: Partial<Readonly<Record<CommandName, Call>>> = {
  RequestRebuild: async ({ admin }, _id, body, options) => await admin.requestRebuild(body, options),
};

function callOf({ me }: Caller, name: CommandName): Call | undefined {
  return me.role === 'merchant' ? OF_MERCHANT[name] : OF_PLATFORM[name];
}

/** Executes a command, or previews it, as the role of the session does. @throws {SuretyError} */
export async function send(
  session: Caller & { readonly client: SuretyClient },
  name: CommandName,
  id: string,
  body: object,
  options: SendOptions,
): Promise<unknown> {
  const call = callOf(session, name);
  if (call !== undefined) return await call(session.client, id, body as never, options);
  const method = `${name.charAt(0).toLowerCase()}${name.slice(1)}` as Exclude<
    Uncapitalize<CommandName>,
    'requestRebuild'
  >;
  return await session.client.commands[method](body as never, options);
}

/** Returns the id of the operation in the API document. */
export function operationIdOf(session: Caller, name: CommandName): string {
  return session.me.role === 'merchant' || callOf(session, name) !== undefined ? name : `Admin${name}`;
}

/** Whether the person may execute the command: its role has it, and the person does not only read. */
export function mayExecute({ me: { role, access } }: Caller, name: CommandName): boolean {
  const roles: readonly Role[] = COMMANDS[name][1];
  return access === 'full' && roles.includes(role);
}
