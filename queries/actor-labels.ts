import type { ClaimDocument } from '#projections/claims/claims.ts';
import { type ClaimResource, claimResourceOf } from '#projections/claims/claim-resource.ts';
import { type ApiKeyDocument, apiKeys } from '#projections/api-keys/api-keys.ts';
import { type PersonDocument, persons } from '#projections/persons/persons.ts';
import type { Actor } from '#event-sourcing/event.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import type { QueryContext, Reader } from './query.ts';
import { readBodies } from './resources.ts';

type ReadContext = Pick<QueryContext, 'reader' | 'readModels'>;
type Labelled = Pick<Actor, 'role' | 'personId' | 'label'>;

/** Returns whether a reader learns of an actor the role alone: a merchant of the platform and of insurers. */
export function showsRoleAlone(reader: Reader, { role }: Pick<Actor, 'role'>): boolean {
  return reader.role === 'merchant' && role !== 'merchant' && role !== 'system';
}

/** Labels of actors as a reader sees them: the names of persons as they are now, else the labels of the keys. */
export class ActorLabels {
  readonly #context: ReadContext;
  readonly #names = new Map<string, string | undefined>();

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** Reads the names of persons whose labels are shown next. @throws {StoreUnavailable} */
  async read(actors: readonly Pick<Actor, 'personId'>[]): Promise<void> {
    const ids = actors.flatMap(({ personId }) => personId ?? []).filter((id) => !this.#names.has(id));
    if (ids.length === 0) return;
    const found = await readBodies<PersonDocument>(this.#context, persons.name, ids);
    for (const id of ids) this.#names.set(id, found.get(id)?.person.name);
  }

  /** Returns the label of an actor; null where there is none, or the reader does not learn it. */
  labelOf(actor: Labelled): string | null {
    if (showsRoleAlone(this.#context.reader, actor)) return null;
    const name = actor.personId === undefined ? undefined : this.#names.get(actor.personId);
    return name ?? actor.label ?? null;
  }

  /** Makes the resource of a claim. A merchant does not learn who works it. @throws {StoreUnavailable} */
  async readClaimResource({ claim }: Pick<ClaimDocument, 'claim'>): Promise<ClaimResource> {
    const isHidden = this.#context.reader.role === 'merchant';
    await this.read(claim.noteEntries.map(({ by }) => by));
    if (claim.assignee !== null && !isHidden) await this.#readAssignee(claim.assignee);
    return claimResourceOf(
      isHidden ? { ...claim, assignee: null } : claim,
      (author) => this.labelOf(author) ?? author.role,
      (id) => this.#names.get(id) ?? null,
    );
  }

  /** Reads the name of a person, or the label of a key. */
  async #readAssignee(id: string): Promise<void> {
    if (uuid.safeParse(id).success) return await this.read([{ personId: id }]);
    if (this.#names.has(id)) return;
    const found = await readBodies<ApiKeyDocument>(this.#context, apiKeys.name, [id]);
    this.#names.set(id, found.get(id)?.label);
  }
}
