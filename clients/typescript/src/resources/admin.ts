import type { Api, ListOptions } from '../api.ts';
import type { ApiKey, MailJob, ParkedDocument, Person, Rebuild, Verification } from '../api-types.ts';
import type { CallOptions, ChangeOptions, CommandOptions } from '../http.ts';
import type { ResponseBody, Body, PathOf, Query } from '../operation-types.ts';

type CommandPath<Name extends string> = `/api/v1/admin/commands/${Name}`;
type CommandName = PathOf<'post'> extends infer P ? (P extends CommandPath<infer Name> ? Name : never) : never;

/** The commands of the platform, by their names with a small first letter. `result` of the response has what is new. */
export type Commands = {
  readonly [Name in CommandName as Uncapitalize<Name>]: (
    body: Body<CommandPath<Name>>,
    options?: ChangeOptions,
  ) => Promise<ResponseBody<CommandPath<Name>, 'post'>>;
};

/** A command of the API document that is missing here is an error of the compiler. */
const COMMANDS: { readonly [Name in CommandName]: true } = {
  RegisterMerchant: true,
  UpdateMerchant: true,
  ConfirmKyc: true,
  ResendVerification: true,
  VerifyMerchant: true,
  CreateEnvironment: true,
  IssueApiKey: true,
  RevokeApiKey: true,
  AddPerson: true,
  UpdatePerson: true,
  RemovePerson: true,
  EndSessions: true,
  IssueTicket: true,
  RegisterProvider: true,
  UpdateProvider: true,
  ConfirmProvider: true,
  WithdrawProvider: true,
  AddProduct: true,
  UpdateProduct: true,
  WithdrawProduct: true,
  RestoreProduct: true,
  RequestQuotes: true,
  PurchasePolicy: true,
  RenewPolicy: true,
  ChangePolicy: true,
  CancelPolicy: true,
  SetAutoRenew: true,
  SetBeneficiaries: true,
  UpdateCustomer: true,
  ActivatePolicy: true,
  DeclinePolicy: true,
  ReinstatePolicy: true,
  WithdrawTerm: true,
  SubmitClaim: true,
  ReviewClaim: true,
  SendClaimForApproval: true,
  ApproveClaim: true,
  SendClaimOffer: true,
  AcceptClaimOffer: true,
  RejectClaimOffer: true,
  AddClaimDocuments: true,
  PayClaim: true,
  ReversePayment: true,
  DenyClaim: true,
  WithdrawClaim: true,
  ReopenClaim: true,
  ReviseClaim: true,
  AddClaimNote: true,
  AssignClaim: true,
  ImportPolicyTerm: true,
  ImportClaim: true,
  RetryParked: true,
  ResendMail: true,
};

/** Makes the method of each command. */
export function commandsOf(api: Api): Commands {
  const names = Object.keys(COMMANDS) as CommandName[];
  const method = (name: CommandName) => async (body: never, options?: ChangeOptions) =>
    await api.send(['post', `/api/v1/admin/commands/${name}`], {}, body, options);
  const methods = names.map((name) => [`${name.charAt(0).toLowerCase()}${name.slice(1)}`, method(name)]);
  return Object.fromEntries(methods) as Commands;
}

/** What operators and auditors read and start, with the key of an administrator or auditor. */
export class Admin {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Gets the commands with their JSON schemas. */
  async availableCommands(options?: CallOptions) {
    return await this.#api.get('/api/v1/admin/commands', {}, undefined, options);
  }

  /** Lists the keys of the platform that were issued by command, without their secrets. */
  keys(query?: Query<'/api/v1/admin/keys'>, options?: ListOptions): AsyncGenerator<ApiKey> {
    return this.#api.list('/api/v1/admin/keys', {}, query, options);
  }

  /** Lists the persons who work with Surety, removed ones too. */
  persons(query?: Query<'/api/v1/admin/persons/'>, options?: ListOptions): AsyncGenerator<Person> {
    return this.#api.list('/api/v1/admin/persons/', {}, query, options);
  }

  /** Lists the parked documents: one of their events could not be processed. */
  parkedDocuments(query?: Query<'/api/v1/admin/parked'>, options?: ListOptions): AsyncGenerator<ParkedDocument> {
    return this.#api.list('/api/v1/admin/parked', {}, query, options);
  }

  /** Lists the mails, newest first. A list of one status may miss mails that leave it meanwhile. */
  mailJobs(query?: Query<'/api/v1/admin/mail-jobs'>, options?: ListOptions): AsyncGenerator<MailJob> {
    return this.#api.list('/api/v1/admin/mail-jobs', {}, query, options);
  }

  /** Gets the figures of the portfolio on a day. */
  async portfolio(query: Query<'/api/v1/audit/portfolio/'>, options?: CallOptions) {
    return await this.#api.get('/api/v1/audit/portfolio/', {}, query, options);
  }

  /** Gets the health of the installation: checks, positions, leaders and disk. */
  async status(options?: CallOptions) {
    return await this.#api.get('/api/v1/admin/status/', {}, undefined, options);
  }

  /** Starts a rebuild of read models. */
  async requestRebuild(body: Body<'/api/v1/admin/rebuilds'>, options?: CommandOptions): Promise<Rebuild> {
    return await this.#api.send(['post', '/api/v1/admin/rebuilds'], {}, body, options);
  }

  /** Gets a rebuild. */
  async rebuild(rebuild_id: string, options?: CallOptions): Promise<Rebuild> {
    return await this.#api.get('/api/v1/admin/rebuilds/{rebuild_id}', { rebuild_id }, undefined, options);
  }

  /** Gets the last 20 rebuilds. */
  async recentRebuilds(options?: CallOptions) {
    return (await this.#api.get('/api/v1/admin/rebuilds', {}, undefined, options)).results;
  }

  /** Gets the last 20 verifications. */
  async recentVerifications(options?: CallOptions) {
    return (await this.#api.get('/api/v1/admin/verifications', {}, undefined, options)).results;
  }

  /**
   * Starts a verification. If the first response is lost, the call ends with 429 `verification_running` and
   * `problem.verification_id`.
   */
  async startVerification(options?: CommandOptions): Promise<Verification> {
    return await this.#api.send(['post', '/api/v1/admin/verifications'], {}, undefined, options);
  }

  /** Gets a verification. */
  async verification(verification_id: string, options?: CallOptions): Promise<Verification> {
    const path = '/api/v1/admin/verifications/{verification_id}';
    return await this.#api.get(path, { verification_id }, undefined, options);
  }
}
