interface Part {
  type: string;
  name: string;
  version: string;
  licenses: { license?: { id: string }; expression?: string }[];
}

interface ListedPart extends Part {
  'bom-ref': string;
  purl: string;
  hashes: { alg: string; content: string }[];
  components?: Part[];
}

interface Sbom {
  serialNumber: string;
  metadata: { component: Part & { 'bom-ref': string } };
  components: ListedPart[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

export function makeSbom(manifest: object, lock: { packages: object }): Sbom;
