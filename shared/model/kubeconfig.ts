import { z } from 'zod';

/**
 * A kubeconfig file, v1, as kubectl reads it (client-go tools/clientcmd/api/v1). Scalars arrive as text, booleans or
 * null (the reader keeps numbers as written, so that `password: 0123` stays itself). Entries are kept loosely here and
 * checked strictly only when their context is used: a field we do not know is then an error, never ignored.
 */
const zText = z.union([z.string(), z.boolean().transform(String), z.null().transform(() => '')]);
const zFlag = z
  .boolean()
  .nullable()
  .transform((value) => value ?? false);
const zTexts = z
  .array(zText)
  .nullable()
  .transform((value) => value ?? []);

function listOf<T extends z.ZodType>(entry: T) {
  return z
    .array(entry)
    .nullable()
    .transform((value) => value ?? [])
    .optional();
}

export const zKubeconfigFile = z.looseObject({
  apiVersion: z.union([z.literal('v1'), z.literal(''), z.null()]).optional(),
  kind: z.union([z.literal('Config'), z.literal(''), z.null()]).optional(),
  'current-context': zText.optional(),
  clusters: listOf(z.looseObject({ name: zText, cluster: z.unknown() })),
  users: listOf(z.looseObject({ name: zText, user: z.unknown() })),
  contexts: listOf(z.looseObject({ name: zText, context: z.unknown() })),
});

/** Top-level fields that mean nothing to a client. */
export const ignoredKubeconfigFields: readonly string[] = ['preferences', 'extensions'];

const zExtensions = z
  .array(z.object({ name: zText, extension: z.unknown() }))
  .nullable()
  .optional();

export const zKubeconfigCluster = z.strictObject({
  server: zText.optional(),
  'tls-server-name': zText.optional(),
  'insecure-skip-tls-verify': zFlag.optional(),
  'certificate-authority': zText.optional(),
  'certificate-authority-data': zText.optional(),
  'proxy-url': zText.optional(),
  'disable-compression': zFlag.optional(),
  extensions: zExtensions,
});
export type KubeconfigCluster = Readonly<z.infer<typeof zKubeconfigCluster>>;

export const zKubeconfigExec = z.strictObject({
  command: zText,
  args: zTexts.optional(),
  env: z
    .array(z.strictObject({ name: zText, value: zText }))
    .nullable()
    .optional(),
  apiVersion: zText.optional(),
  installHint: zText.optional(),
  provideClusterInfo: zFlag.optional(),
  interactiveMode: z.enum(['Never', 'IfAvailable', 'Always']).nullable().optional(),
});
export type KubeconfigExec = Readonly<z.infer<typeof zKubeconfigExec>>;

export const zKubeconfigUser = z.strictObject({
  'client-certificate': zText.optional(),
  'client-certificate-data': zText.optional(),
  'client-key': zText.optional(),
  'client-key-data': zText.optional(),
  token: zText.optional(),
  tokenFile: zText.optional(),
  as: zText.optional(),
  'as-uid': zText.optional(),
  'as-groups': zTexts.optional(),
  'as-user-extra': z.record(z.string(), zTexts).nullable().optional(),
  username: zText.optional(),
  password: zText.optional(),
  'auth-provider': z
    .strictObject({ name: zText, config: z.record(z.string(), zText).nullable().optional() })
    .nullable()
    .optional(),
  exec: zKubeconfigExec.nullable().optional(),
  extensions: zExtensions,
});
export type KubeconfigUser = Readonly<z.infer<typeof zKubeconfigUser>>;

export const zKubeconfigContext = z.strictObject({
  cluster: zText.optional(),
  user: zText.optional(),
  namespace: zText.optional(),
  extensions: zExtensions,
});
export type KubeconfigContext = Readonly<z.infer<typeof zKubeconfigContext>>;

/** What a credential plugin prints (client.authentication.k8s.io v1, v1beta1). Other fields are its own business. */
export const zExecCredential = z.object({
  apiVersion: z.string(),
  kind: z.literal('ExecCredential'),
  status: z.object({
    expirationTimestamp: z.string().nullable().optional(),
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
  }),
});
