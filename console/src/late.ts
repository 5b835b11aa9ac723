/** What the first screen does not wait for: forms, and what few persons open. It is one script. */
export { CommandDialog } from './actions/command-dialog.tsx';
export { InsurerPage } from './administer/insurer-page.tsx';
export { KeyList } from './administer/keys.tsx';
export { PersonList, PersonPage } from './administer/persons.tsx';
export { ProductPage } from './administer/product-page.tsx';
export { Portfolio } from './operate/portfolio.tsx';
export { OneVerification, Verifications } from './operate/verifications.tsx';
export { InsurerList, ProductList } from './lists/catalogue.tsx';
export { MerchantList } from './lists/merchants.tsx';
export { Mails } from './operate/mails.tsx';
export { ParkedDocuments } from './operate/parked.tsx';
export { Rebuilds } from './operate/rebuilds.tsx';
export { InstallationStatus } from './operate/status.tsx';
export { NewQuote } from './quotes/new-quote.tsx';
