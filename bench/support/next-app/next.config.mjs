export default {
  // Built already, by the bench: Node loads it as it is.
  serverExternalPackages: ['listing-tree'],
  // Beside lock files of others.
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
}
