import { become, ensureInstalled } from './install.mjs'

ensureInstalled()
become(['scripts/run-dev.ts', ...process.argv.slice(2)])
