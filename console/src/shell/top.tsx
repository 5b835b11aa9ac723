import { Icon } from '../components/icon.tsx';
import { Mode } from '../components/mode.tsx';
import { FindBox } from '../find/find-box.tsx';
import { chooseEnvironment, type Session, signOut } from '../session.ts';
import { texts } from '../texts.ts';
import { isMenuOpen } from './sidebar.tsx';

/** The line above every page: the find box, the mode, and who is signed in. */
export function Top({ session }: { readonly session: Session }) {
  const { me } = session;
  const name = me.person?.name ?? me.label ?? texts.roles[me.role];
  return (
    <header class="top">
      <button
        type="button"
        class="menu icon quiet"
        aria-expanded={isMenuOpen.value}
        aria-controls="menu"
        aria-label={texts.menu}
        onClick={() => (isMenuOpen.value = !isMenuOpen.value)}
      >
        <Icon name="list" />
      </button>
      <FindBox session={session} />
      <div class="who">
        <EnvironmentChoice session={session} />
        {me.environment !== null && <Mode isTest={me.environment.test_mode} />}
        <span class="avatar" aria-hidden="true">
          {initialsOf(name)}
        </span>
        <span class="name" title={texts.roles[me.role]}>
          <bdi>{name}</bdi>
        </span>
        <button type="button" class="quiet nowrap" onClick={() => void signOut()}>
          {texts.signOut}
        </button>
      </div>
    </header>
  );
}

/** The environments in which a person of a merchant works without a key. */
function EnvironmentChoice({ session: { me } }: { readonly session: Session }) {
  if (me.environments.length < 2) return null;
  return (
    <select
      aria-label={texts.environment}
      value={String(me.environment?.id)}
      onChange={(event) => void chooseEnvironment(event.currentTarget.value)}
    >
      {me.environments.map(({ id, name }) => (
        <option key={id} value={String(id)}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Returns the first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) =>
    String.fromCodePoint(word?.codePointAt(0) ?? 32),
  );
  return letters.join('').trim().toUpperCase();
}
