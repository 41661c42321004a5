import { pathToFileURL } from 'node:url'
import { isBuilt, recorded } from './build-record.mjs'
import { node, root, run, say } from './install.mjs'

/** Builds when the sources differ from those of the last build. Warnings of the bundler are for developers. */
export function ensureBuilt() {
  if (!isBuilt(root)) build('error')
}

function build(logLevel) {
  const began = Date.now()
  say('Building the shop…')
  recorded(root, () => run(node, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', logLevel]))
  say(`Built in ${((Date.now() - began) / 1000).toFixed(1)} s`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) build('warn')
