/** What `surety --help` tells. */
export const HELP = `Surety, an event-sourced insurance service.

surety serve [--sample]
    Runs the service. With --sample, and on an empty event store only, it makes sample data and prints keys to try it.

surety command NAME FILE [--idempotency-key KEY] [--url URL [--key-file FILE]]
    Runs a command of the back office with the JSON body in FILE (- for standard input) and prints the answer.
    Without --url it works on the data folder, which no service may hold meanwhile.

surety import --environment ID --provider NAME [--product-type Auto] [--currency NGN]
              POLICIES [CLAIMS] [--refused DIR] [--json] [--strict] [--url URL [--key-file FILE]]
    Takes over a book from CSV files (.gz too). Rows that cannot be taken go to <file name>.refused.csv. The same files
    again import nothing, and an import that was broken off goes on where it was. With --strict a refused row makes
    it exit 1; --json prints one object instead of a table.

surety setup
    Makes the data folder and what lies in it, and ends.

surety verify [--json]
    Makes every document of the read models anew from the event log and compares it with the one that is served, byte for
    byte, and the content of every claim document with its SHA-256. Tells each difference and then exits 1.
    It works on the data folder, which no service may hold meanwhile.

surety dead-letters list [QUEUE] [--json]
surety dead-letters replay [QUEUE] [--json]
    Jobs that nobody could do by itself, with the reason; replay puts them all into their queue again, once what was in the way
    is mended. The queue is surety.jobs.mail.v1. A mail that is parked stays so: ResendMail sends it again.
    On Kafka the service may run meanwhile; on embedded stores nobody may hold the data folder.

surety --help, surety --version

Settings are environment variables: HOST, PORT, PUBLIC_URL, SURETY_DATA, SURETY_ADMIN_KEY, SURETY_ROLES, SURETY_SECRET,
SURETY_SAMPLE, SMTP_URL, MAIL_FROM, SUPPORT_EMAIL, RATE_LIMIT, LOG_LEVEL; the README tells what each does. With --url the key of an administrator comes from --key-file, SURETY_ADMIN_KEY
or the data folder.

Exit codes: 0 done, 1 it could not be done, 2 wrong use, 130 interrupted.
`;
