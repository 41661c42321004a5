import { become, ensureInstalled } from './install.mjs'

ensureInstalled()
become(['scripts/run-tests.ts', ...process.argv.slice(2)])
