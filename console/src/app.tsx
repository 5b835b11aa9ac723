import { FindBox, FindResults, Recent } from './find/find.tsx';
import { ClaimLife } from './life/claim.tsx';
import { CustomerLife } from './life/customer.tsx';
import { MerchantLife } from './life/merchant.tsx';
import { PolicyLife } from './life/policy.tsx';
import { Mode } from './parts/failure.tsx';
import { hrefOf, route } from './route.ts';
import { type Session, session, signOut } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { texts } from './texts.ts';

export function App() {
  const current = session.value;
  if (current === undefined) return <SignIn />;
  return (
    <>
      <Header session={current} />
      <View session={current} />
    </>
  );
}

function Header({ session: current }: { readonly session: Session }) {
  const { me } = current;
  return (
    <header class="top">
      <a class="brand" href={hrefOf([])}>
        {texts.product}
      </a>
      <FindBox session={current} />
      <span class="who">
        {me.environment !== null && <Mode isTest={me.environment.test_mode} />} <bdi>{me.label}</bdi>{' '}
        <span class="quiet">({texts.roles[me.role]})</span>{' '}
        <button type="button" onClick={signOut}>
          {texts.signOut}
        </button>
      </span>
    </header>
  );
}

function View({ session: current }: { readonly session: Session }) {
  const [kind = '', id = ''] = route.value.path;
  const props = { id, session: current };
  const key = `${kind} ${id}`;
  if (id !== '') {
    if (kind === 'policies')
      return (
        <main key={key}>
          <PolicyLife {...props} />
        </main>
      );
    if (kind === 'claims')
      return (
        <main key={key}>
          <ClaimLife {...props} />
        </main>
      );
    if (kind === 'customers')
      return (
        <main key={key}>
          <CustomerLife {...props} />
        </main>
      );
    if (kind === 'merchants')
      return (
        <main key={key}>
          <MerchantLife {...props} />
        </main>
      );
  }
  if (kind === 'find') return <FindResults />;
  return (
    <main>
      <h1>{current.me.merchant?.name ?? texts.product}</h1>
      <Recent />
    </main>
  );
}
