import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import kafkajs, { type AclEntry } from 'kafkajs';
import { withAdmin } from '#stores/messaging/kafka/admin.ts';
import type { KafkaOptions } from '#stores/messaging/kafka/client.ts';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';
import { freePorts } from '../../support/free-port.ts';
import { MonitoredProcess } from '../../support/monitored-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

const INSTALL = fileURLToPath(new URL('../../../../shared/servers/install', import.meta.url));
const STORE_PASSWORD = 'changeit';
const PASSWORD = 'the password of the tests';
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;
const OPERATIONS = {
  Create: AclOperationTypes.CREATE,
  Describe: AclOperationTypes.DESCRIBE,
  DescribeConfigs: AclOperationTypes.DESCRIBE_CONFIGS,
  Read: AclOperationTypes.READ,
  Write: AclOperationTypes.WRITE,
} as const;

/** A right of a user: an operation on a topic, on all topics with a prefix, or on a consumer group. */
export interface Right {
  readonly operation: keyof typeof OPERATIONS;
  readonly on: 'TOPIC' | 'GROUP';
  readonly name: string;
  readonly isPrefix: boolean;
}

/**
 * A broker that requires TLS and authentication by SASL PLAIN, of its first user also by SCRAM-SHA-512. Its first user
 * may do everything, others what they are granted.
 */
export class SecureBroker {
  readonly user = { username: 'surety', password: PASSWORD } as const;
  readonly address: string;
  /** Without TLS or user, with all rights. */
  readonly options: KafkaOptions;
  /** The self-signed certificate of the broker, to be trusted as the authority. */
  readonly certificateFile: string;
  readonly #temporary: ReturnType<typeof temporaryFolder>;
  readonly #process: MonitoredProcess;

  private constructor(
    place: ReturnType<typeof temporaryFolder>,
    ports: { readonly secure: number; readonly internal: number },
    process: MonitoredProcess,
  ) {
    this.#temporary = place;
    this.#process = process;
    this.address = `localhost:${ports.secure}`;
    this.options = { brokers: [`127.0.0.1:${ports.internal}`] };
    this.certificateFile = join(place.folder, 'broker.pem');
  }

  /**
   * Starts the broker and waits until it accepts connections.
   * @param others names of further users, with the same password
   * @throws {Error} with its recent output on failure
   */
  static async start(others: readonly string[] = []): Promise<SecureBroker> {
    const place = temporaryFolder();
    const [port = 0, controller = 0, internal = 0] = await freePorts(3);
    const properties = join(place.folder, 'server.properties');
    const keys = join(place.folder, 'broker.p12');
    makeCertificate(keys, join(place.folder, 'broker.pem'));
    mkdirSync(join(place.folder, 'log'));
    writeFileSync(
      properties,
      [
        'process.roles=broker,controller',
        'node.id=1',
        `controller.quorum.voters=1@127.0.0.1:${controller}`,
        `listeners=SECURE://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller},INTERNAL://127.0.0.1:${internal}`,
        `advertised.listeners=SECURE://localhost:${port},INTERNAL://127.0.0.1:${internal}`,
        'listener.security.protocol.map=SECURE:SASL_SSL,CONTROLLER:PLAINTEXT,INTERNAL:PLAINTEXT',
        'controller.listener.names=CONTROLLER',
        'inter.broker.listener.name=INTERNAL',
        'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512',
        'listener.name.secure.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required ' +
          `${['surety', ...others].map((name) => `user_${name}="${PASSWORD}"`).join(' ')};`,
        'listener.name.secure.scram-sha-512.sasl.jaas.config=' +
          'org.apache.kafka.common.security.scram.ScramLoginModule required;',
        `ssl.keystore.location=${keys}`,
        'ssl.keystore.type=PKCS12',
        `ssl.keystore.password=${STORE_PASSWORD}`,
        `log.dirs=${join(place.folder, 'log')}`,
        'auto.create.topics.enable=false',
        'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
        'super.users=User:surety;User:ANONYMOUS',
        'offsets.topic.replication.factor=1',
        'offsets.topic.num.partitions=1',
        'group.initial.rebalance.delay.ms=0',
        '',
      ].join('\n'),
    );
    const home = execFileSync(INSTALL, { encoding: 'utf8' }).trim();
    const java = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', `${home}/kafka/*`];
    const scram = `SCRAM-SHA-512=[name=surety,password=${PASSWORD}]`;
    const format = ['format', '-t', 'AAAAAAAAAAAAAAAAAAAAAA', '-c', properties, '--add-scram', scram];
    execFileSync('java', [...java, 'kafka.tools.StorageTool', ...format], { stdio: 'pipe' });
    const log = `-Dlog4j2.configurationFile=${home}/kafka/log4j2.properties`;
    const child = spawn('java', [log, ...java, 'kafka.Kafka', properties], { stdio: ['ignore', 'pipe', 'pipe'] });
    const process = new MonitoredProcess('The broker', child);
    const broker = new SecureBroker(place, { secure: port, internal }, process);
    try {
      await waitUntil(
        async () => {
          process.expectRunning();
          return await acceptsConnections(port);
        },
        () => process.recentOutput,
      );
    } catch (error) {
      await broker.dispose();
      throw error;
    }
    return broker;
  }

  async grant(user: string, rights: readonly Right[]): Promise<void> {
    await withAdmin(this.options, async (admin) => await admin.createAcls({ acl: rights.map(entryOf(user)) }));
  }

  async revoke(user: string, rights: readonly Right[]): Promise<void> {
    await withAdmin(this.options, async (admin) => await admin.deleteAcls({ filters: rights.map(entryOf(user)) }));
  }

  async dispose(): Promise<void> {
    await this.#process.kill();
    this.#temporary.remove();
  }
}

function entryOf(user: string): (right: Right) => AclEntry {
  return ({ operation, on, name, isPrefix }) => ({
    resourceType: AclResourceTypes[on],
    resourceName: name,
    resourcePatternType: ResourcePatternTypes[isPrefix ? 'PREFIXED' : 'LITERAL'],
    principal: `User:${user}`,
    host: '*',
    operation: OPERATIONS[operation],
    permissionType: AclPermissionTypes.ALLOW,
  });
}

function makeCertificate(keys: string, certificate: string): void {
  const store = ['-keystore', keys, '-storetype', 'PKCS12', '-storepass', STORE_PASSWORD, '-alias', 'broker'];
  const name = ['-dname', 'CN=localhost', '-ext', 'SAN=dns:localhost,ip:127.0.0.1'];
  execFileSync('keytool', ['-genkeypair', '-keyalg', 'RSA', '-validity', '2', ...name, ...store], { stdio: 'pipe' });
  execFileSync('keytool', ['-exportcert', '-rfc', '-file', certificate, ...store], { stdio: 'pipe' });
}

async function acceptsConnections(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
