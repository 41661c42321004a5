import { ensureBuilt } from './build.mjs'
import { become, ensureInstalled } from './install.mjs'

/** Looks at every page in every width and scheme; `--update` keeps what it sees as the reference for the next time. */
ensureInstalled()
ensureBuilt()
become(
  ['node_modules/vitest/vitest.mjs', 'run', 'tests/visual', ...process.argv.slice(2).filter((it) => it !== '--update')],
  {
    ...process.env,
    VISUAL: process.argv.includes('--update') ? 'update' : 'all',
  },
)
