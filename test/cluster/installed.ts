// The programs a cluster is made of, from the distribution's packages.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findSystemBinaries } from '../support/postgres-binaries.ts';

const PACKAGES: Record<string, string> = {
  patroni: 'patroni python3-etcd',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
};

/** Debian keeps some of them where only root looks. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

const findCommand = (name: string) =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));

export interface Installed {
  patroni: string;
  etcd: string;
  haproxy: string;
  /** The folder with `postgres`. */
  postgres: string;
}

export function findInstalled(): Installed {
  const postgres = findSystemBinaries();
  const [patroni, etcd, haproxy] = ['patroni', 'etcd', 'haproxy'].map(findCommand);
  if (patroni && etcd && haproxy && postgres) return { patroni, etcd, haproxy, postgres };
  const missing = Object.entries({ patroni, etcd, haproxy })
    .filter(([, path]) => !path)
    .map(([name]) => PACKAGES[name]);
  throw new Error(
    `The tests of the cluster need more programs: apt-get install ${[...missing, ...(postgres ? [] : ['postgresql'])].join(' ')}`,
  );
}
