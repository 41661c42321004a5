import { ensureBuilt } from './build.mjs'
import { become, ensureInstalled } from './install.mjs'

/** Plays whole shops by a seed, with faults and crashes, and checks every promise after every step: docs/guides/simulator.md. */
ensureInstalled()
ensureBuilt()
become(['tests/simulator/main.ts', ...process.argv.slice(2)])
