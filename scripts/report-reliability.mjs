import { become, ensureInstalled } from './install.mjs'

/** Says on one page what the last run of the tests has proven. */
ensureInstalled()
become(['scripts/report-reliability.ts'])
