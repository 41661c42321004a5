import { ensureInstalled, node, run } from './install.mjs'

ensureInstalled()
run(node, ['scripts/run-tests.ts', ...process.argv.slice(2)])
