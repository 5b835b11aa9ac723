/** What `surety --help` tells. */
export const HELP = `Surety, an event-sourced insurance service.

surety serve [--sample] [--accept-clock]
    Runs the service. With --sample, and on an empty event store only, it makes sample data and prints keys to try it.
    With all roles in one process it sets up what is missing; roles in processes of their own need surety setup before.
    When the clock is more than 5 minutes earlier or more than 31 days later than at the last run, the scheduler holds: it neither
    activates nor renews policies. --accept-clock accepts the present time once, at this start, in a process with the role scheduler.

surety command NAME FILE [--idempotency-key KEY] [--url URL [--key-file FILE]]
    Runs a command of the back office with the JSON body in FILE (- for standard input) and prints the answer.
    Without --url it works on the data folder, which no service may hold meanwhile.

surety import --environment ID --provider NAME [--product-type Auto] [--currency NGN]
              POLICIES [CLAIMS] [--refused DIR] [--json] [--strict] [--url URL [--key-file FILE]]
    Takes over a book from CSV files (.gz too). Rows that cannot be taken go to <file name>.refused.csv. The same files
    again import nothing, and an import that was broken off goes on where it was. With --strict a refused row makes
    it exit 1; --json prints one object instead of a table.

surety setup [--from start|end|POSITION] [--partitions N] [--replication N] [--drop-old-versions] [--change-secret]
             [--change-stores]
surety setup --create-topics --from start|POSITION
    Creates the data folder and what is in it, or on servers topics, indexes and the first checkpoints of all processes, and
    ends. Repeating it changes nothing. Mails and public events start with an empty log; on one that has events --from says
    which are sent: all of them, none, or those after the position. Topics get 6 partitions, or as many as those that exist,
    and as many replicas as there are brokers, 3 at most, unless it is said otherwise. With --drop-old-versions it deletes the
    documents that earlier versions of Surety made, once no process of them runs any more.
    The records keep where the stores are and which secret signs the links in mails (SURETY_SECRET, or the one that the first
    service creates); a process with other settings does not start. --change-secret sets another secret, which ends the links
    that were sent. --change-stores says that the stores are now those of the settings. Before it, stop every process; the log
    there must be the same one (the runbook, Change the stores).
    A public topic that is missing is created only while the relay has sent nothing. Otherwise --create-topics first sets the
    relay back, as surety replay does, and then creates the topics. No relay may run meanwhile.

surety replay --from start|POSITION
    Lets the relay send public events again: all of them, or those after the position. No relay may run meanwhile.

surety verify [--json]
    Rebuilds every document of the read models from the event log and compares it with the one that is served, byte for
    byte, and the content of every claim document with its SHA-256. Prints each difference and then exits 1.
    It works on the data folder, which no service may hold meanwhile; on servers services may run.

surety migrate [--json]
    Moves the data folder to the servers of EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS, which surety setup has set up and
    which are empty otherwise: log, records, checkpoints. Builds the read models there and compares them with
    those of the folder; a difference makes it exit 1. After a kill it goes on where it was. No service may run meanwhile.
    At its end it leaves the file MIGRATED in the folder: while that is there, nothing works on the book in it.

surety --help, surety --version

Settings are environment variables: HOST, PORT, PUBLIC_URL, SURETY_DATA, SURETY_ADMIN_KEY, SURETY_ROLES, SURETY_SECRET,
SURETY_SAMPLE, SUPPORT_EMAIL, RATE_LIMIT, MAX_CONNECTIONS, TRUST_PROXY, SMTP_URL, MAIL_FROM, EVENTSTORE_URL, MONGODB_URL,
KAFKA_BROKERS, KAFKA_SSL, KAFKA_SASL, KAFKA_USERNAME, KAFKA_PASSWORD, LOG_LEVEL; docs/configuration.md describes each.
Without the address of a server the embedded store is used; SURETY_ROLES may omit roles only if all stores are servers.
With --url the administrator's key comes from --key-file, SURETY_ADMIN_KEY or the data folder.

Exit codes: 0 done, 1 it could not be done, 2 wrong use, 130 interrupted.
`;
