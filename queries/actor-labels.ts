import type { ClaimDocument } from '#projections/claims/claims.ts';
import { type ClaimResource, claimResourceOf } from '#projections/claims/claim-resource.ts';
import { type PersonDocument, persons } from '#projections/persons/persons.ts';
import type { Actor } from '#event-sourcing/event.ts';
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

  /** Makes the resource of a claim, the names of whose authors were read. */
  claimResourceOf({ claim }: Pick<ClaimDocument, 'claim'>): ClaimResource {
    return claimResourceOf(claim, (author) => this.labelOf(author) ?? author.role);
  }

  /** Makes the resource of a claim. @throws {StoreUnavailable} */
  async readClaimResource({ claim }: Pick<ClaimDocument, 'claim'>): Promise<ClaimResource> {
    await this.read(claim.noteEntries.map(({ by }) => by));
    return this.claimResourceOf({ claim });
  }
}
