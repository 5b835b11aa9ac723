/** What `surety --help` tells. */
export const HELP = `Surety, an event-sourced insurance service.

surety serve [--sample]
    Runs the service. With --sample, and on an empty event store only, it makes sample data and prints keys to try it.
    With all roles in one process it sets up what is missing; roles in processes of their own need surety setup before.

surety command NAME FILE [--idempotency-key KEY] [--url URL [--key-file FILE]]
    Runs a command of the back office with the JSON body in FILE (- for standard input) and prints the answer.
    Without --url it works on the data folder, which no service may hold meanwhile.

surety import --environment ID --provider NAME [--product-type Auto] [--currency NGN]
              POLICIES [CLAIMS] [--refused DIR] [--json] [--strict] [--url URL [--key-file FILE]]
    Takes over a book from CSV files (.gz too). Rows that cannot be taken go to <file name>.refused.csv. The same files
    again import nothing, and an import that was broken off goes on where it was. With --strict a refused row makes
    it exit 1; --json prints one object instead of a table.

surety setup [--from start|end|POSITION] [--partitions N] [--replication N] [--drop-old-versions] [--change-secret]
             [--change-stores] [--send-again]
    Makes the data folder and what lies in it, or on servers topics, indexes and the first checkpoints of all processes, and
    ends. Again it changes nothing. Mails and public events begin with an empty log; on one that has events --from says from
    where on they are sent: all of them, none, or those behind the position. Topics get 6 partitions and as many replicas as
    there are brokers, 3 at most, unless it is said otherwise. With --drop-old-versions it deletes the documents that earlier
    versions of Surety made, once no process of them runs any more. On servers all processes sign links in mails with the
    secret that was set first (SURETY_SECRET, or the one that the first service makes); --change-secret sets another one,
    which ends the links that were sent. Nobody starts with another kind of log or jobs (folder or server) than the installation
    was set up with; --change-stores says that they are now those of the settings. Before it, stop every process; the log there
    must be the same one, and no mail may wait in the jobs left behind (the runbook, Change where log and jobs lie).
    A topic that was set up before and is gone has lost what it held, and is not made by accident; --send-again makes it anew,
    as it was, and lets what lies behind --from be sent again: start, or the position where mails and public events began.
    Mails that went out are not sent again.

surety verify [--json]
    Makes every document of the read models anew from the event log and compares it with the one that is served, byte for
    byte, and the content of every claim document with its SHA-256. Tells each difference and then exits 1.
    It works on the data folder, which no service may hold meanwhile; on servers services may run.

surety migrate [--json]
    Moves the data folder to the servers of EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS, which surety setup has set up and
    which are empty otherwise: log, records, checkpoints, unfinished jobs. Builds the read models there and compares them with
    those of the folder; a difference makes it exit 1. After a kill it goes on where it was. No service may run meanwhile.
    At its end it leaves the file MIGRATED in the folder: while that is there, nothing works on the book in it.

surety dead-letters list [QUEUE] [--json]
surety dead-letters replay [QUEUE] [--json]
surety dead-letters discard [QUEUE] PLACE... [--json]
    Jobs that nobody could do by itself: where each lies, when it died, its id and the reason; --json tells its body as well.
    replay puts them all into their queue again, once what was in the way is mended; discard throws away for good those that
    lie at these places, such as what a stranger put into the queue: look at them with --json before. The queue is
    surety.jobs.mail.v1. A mail that is parked stays so: ResendMail sends it again.
    On Kafka the service may run meanwhile; on embedded stores nobody may hold the data folder.

surety --help, surety --version

Settings are environment variables: HOST, PORT, PUBLIC_URL, SURETY_DATA, SURETY_ADMIN_KEY, SURETY_ROLES, SURETY_SECRET,
SURETY_SAMPLE, SUPPORT_EMAIL, RATE_LIMIT, SMTP_URL, MAIL_FROM, EVENTSTORE_URL, MONGODB_URL, KAFKA_BROKERS, KAFKA_SSL,
KAFKA_SASL, KAFKA_USERNAME, KAFKA_PASSWORD, LOG_LEVEL; the README tells what each does. Without the address of a server
the store that is built in is used; SURETY_ROLES may leave out roles only where none is. With --url the key of an
administrator comes from --key-file, SURETY_ADMIN_KEY or the data folder.

Exit codes: 0 done, 1 it could not be done, 2 wrong use, 130 interrupted.
`;
