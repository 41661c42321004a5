import { ensureInstalled, node, run } from './install.mjs'

ensureInstalled()
run(node, ['scripts/run-dev.ts', ...process.argv.slice(2)])
