import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';
import { freePorts } from '../../support/free-port.ts';
import { MonitoredProcess } from '../../support/monitored-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

const INSTALL = fileURLToPath(new URL('../../../../shared/servers/install', import.meta.url));
const STORE_PASSWORD = 'changeit';

/** A broker that requires TLS and authentication of its only user by SASL PLAIN or SCRAM-SHA-512. */
export class SecureBroker {
  readonly user = { username: 'surety', password: 'the password of the tests' } as const;
  readonly address: string;
  /** The self-signed certificate of the broker, to be trusted as the authority. */
  readonly certificateFile: string;
  readonly #temporary: ReturnType<typeof temporaryFolder>;
  readonly #process: MonitoredProcess;

  private constructor(place: ReturnType<typeof temporaryFolder>, port: number, process: MonitoredProcess) {
    this.#temporary = place;
    this.#process = process;
    this.address = `localhost:${port}`;
    this.certificateFile = join(place.folder, 'broker.pem');
  }

  /** Starts the broker and waits until it accepts connections. @throws {Error} with its recent output on failure */
  static async start(): Promise<SecureBroker> {
    const place = temporaryFolder();
    const [port, controller, internal] = await freePorts(3);
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
          'user_surety="the password of the tests";',
        'listener.name.secure.scram-sha-512.sasl.jaas.config=' +
          'org.apache.kafka.common.security.scram.ScramLoginModule required;',
        `ssl.keystore.location=${keys}`,
        'ssl.keystore.type=PKCS12',
        `ssl.keystore.password=${STORE_PASSWORD}`,
        `log.dirs=${join(place.folder, 'log')}`,
        'auto.create.topics.enable=false',
        'offsets.topic.replication.factor=1',
        'offsets.topic.num.partitions=1',
        'group.initial.rebalance.delay.ms=0',
        '',
      ].join('\n'),
    );
    const home = execFileSync(INSTALL, { encoding: 'utf8' }).trim();
    const java = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', `${home}/kafka/*`];
    const scram = 'SCRAM-SHA-512=[name=surety,password=the password of the tests]';
    const format = ['format', '-t', 'AAAAAAAAAAAAAAAAAAAAAA', '-c', properties, '--add-scram', scram];
    execFileSync('java', [...java, 'kafka.tools.StorageTool', ...format], { stdio: 'pipe' });
    const log = `-Dlog4j2.configurationFile=${home}/kafka/log4j2.properties`;
    const child = spawn('java', [log, ...java, 'kafka.Kafka', properties], { stdio: ['ignore', 'pipe', 'pipe'] });
    const process = new MonitoredProcess('The broker', child);
    const broker = new SecureBroker(place, port ?? 0, process);
    try {
      await waitUntil(
        async () => {
          process.expectRunning();
          return await acceptsConnections(port ?? 0);
        },
        () => process.recentOutput,
      );
    } catch (error) {
      await broker.dispose();
      throw error;
    }
    return broker;
  }

  async dispose(): Promise<void> {
    await this.#process.kill();
    this.#temporary.remove();
  }
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
