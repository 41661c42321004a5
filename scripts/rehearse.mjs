import { ensureBuilt } from './build.mjs'
import { become, ensureInstalled } from './install.mjs'

/** Loses a process, a primary and its machine under orders: docs/guides/several-machines.md. Needs nginx, PgBouncer and OpenSSL. */
ensureInstalled()
ensureBuilt()
process.env.REHEARSAL = '1'
become(['node_modules/vitest/vitest.mjs', 'run', 'tests/rehearsal', ...process.argv.slice(2)])
