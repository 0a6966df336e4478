// The kinds of Kubernetes that deploy/ uses, with those of their fields that it uses or may soon: what `kubectl apply` would
// refuse, an unknown field or a value of another kind, is refused here without a cluster. After the API of Kubernetes 1.31.
import Type, { type TProperties, type TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** No other fields than these. */
const exactly = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });
const maybe = Type.Optional;
const text = Type.String();
const flag = Type.Boolean();
const count = Type.Integer({ minimum: 0 });
const name = Type.String({ pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$', maxLength: 253 });
const portName = Type.String({ pattern: '^(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 15 });
const port = Type.Integer({ minimum: 1, maximum: 65_535 });
const portOrName = Type.Union([port, portName]);
const share = Type.Union([count, Type.String({ pattern: '^\\d+%$' })]);
const quantity = Type.Union([count, Type.String({ pattern: '^\\d+(\\.\\d+)?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$' })]);
const labels = Type.Record(
  Type.String({ pattern: '^([a-z0-9.-]+/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$' }),
  Type.String({ pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$', maxLength: 63 }),
);
const oneOf = (...values: string[]) => Type.Union(values.map((value) => Type.Literal(value)));

const metadata = exactly({
  name,
  namespace: maybe(name),
  labels: maybe(labels),
  annotations: maybe(Type.Record(text, text)),
});
const selector = exactly({ matchLabels: labels });
const seccompProfile = exactly({ type: oneOf('RuntimeDefault', 'Unconfined', 'Localhost') });
const reference = exactly({ name, optional: maybe(flag) });

const probe = exactly({
  httpGet: exactly({ path: text, port: portOrName, scheme: maybe(oneOf('HTTP', 'HTTPS')) }),
  initialDelaySeconds: maybe(count),
  periodSeconds: maybe(count),
  timeoutSeconds: maybe(count),
  failureThreshold: maybe(count),
  successThreshold: maybe(count),
});

const container = exactly({
  name: portName,
  image: text,
  imagePullPolicy: maybe(oneOf('Always', 'IfNotPresent', 'Never')),
  command: maybe(Type.Array(text)),
  args: maybe(Type.Array(text)),
  env: maybe(Type.Array(exactly({ name: text, value: text }))),
  envFrom: maybe(
    Type.Array(
      Type.Union([
        exactly({ configMapRef: reference, prefix: maybe(text) }),
        exactly({ secretRef: reference, prefix: maybe(text) }),
      ]),
    ),
  ),
  ports: maybe(
    Type.Array(exactly({ name: portName, containerPort: port, protocol: maybe(oneOf('TCP', 'UDP')) })),
  ),
  readinessProbe: maybe(probe),
  livenessProbe: maybe(probe),
  startupProbe: maybe(probe),
  resources: maybe(
    exactly({
      requests: maybe(Type.Record(text, quantity)),
      limits: maybe(Type.Record(text, quantity)),
    }),
  ),
  securityContext: maybe(
    exactly({
      allowPrivilegeEscalation: maybe(flag),
      readOnlyRootFilesystem: maybe(flag),
      runAsNonRoot: maybe(flag),
      runAsUser: maybe(count),
      capabilities: maybe(exactly({ add: maybe(Type.Array(text)), drop: maybe(Type.Array(text)) })),
    }),
  ),
  volumeMounts: maybe(Type.Array(exactly({ name, mountPath: text, readOnly: maybe(flag) }))),
});

const pod = exactly({
  containers: Type.Array(container, { minItems: 1 }),
  volumes: maybe(
    Type.Array(
      exactly({
        name,
        emptyDir: exactly({ medium: maybe(oneOf('Memory')), sizeLimit: maybe(quantity) }),
      }),
    ),
  ),
  terminationGracePeriodSeconds: maybe(count),
  automountServiceAccountToken: maybe(flag),
  serviceAccountName: maybe(name),
  nodeSelector: maybe(labels),
  securityContext: maybe(
    exactly({
      runAsNonRoot: maybe(flag),
      runAsUser: maybe(count),
      runAsGroup: maybe(count),
      fsGroup: maybe(count),
      seccompProfile: maybe(seccompProfile),
    }),
  ),
});

const SHAPES: Record<string, TSchema> = {
  'v1 ConfigMap': exactly({
    apiVersion: text,
    kind: text,
    metadata,
    data: Type.Record(Type.String({ pattern: '^[-._a-zA-Z0-9]+$' }), text),
  }),
  'v1 Service': exactly({
    apiVersion: text,
    kind: text,
    metadata,
    spec: exactly({
      type: maybe(oneOf('ClusterIP', 'NodePort', 'LoadBalancer')),
      selector: labels,
      ports: Type.Array(
        exactly({
          name: maybe(portName),
          port,
          targetPort: maybe(portOrName),
          protocol: maybe(oneOf('TCP')),
        }),
        { minItems: 1 },
      ),
    }),
  }),
  'apps/v1 Deployment': exactly({
    apiVersion: text,
    kind: text,
    metadata,
    spec: exactly({
      replicas: maybe(count),
      selector,
      strategy: maybe(
        exactly({
          type: oneOf('RollingUpdate', 'Recreate'),
          rollingUpdate: maybe(exactly({ maxUnavailable: maybe(share), maxSurge: maybe(share) })),
        }),
      ),
      template: exactly({ metadata: exactly({ labels }), spec: pod }),
    }),
  }),
  'policy/v1 PodDisruptionBudget': exactly({
    apiVersion: text,
    kind: text,
    metadata,
    spec: exactly({ minAvailable: maybe(share), maxUnavailable: maybe(share), selector }),
  }),
};

/** What a cluster would refuse, as `path: why`. */
export function findKubernetesFaults(manifest: { apiVersion?: string; kind?: string }): string[] {
  const title = `${manifest.apiVersion} ${manifest.kind}`;
  const shape = SHAPES[title];
  if (!shape) return [`${title} is not known here`];
  return Value.Errors(shape, manifest).map(
    ({ instancePath, message }) => `${title}${instancePath}: ${message}`,
  );
}
