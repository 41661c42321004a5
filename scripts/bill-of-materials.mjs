import { become, ensureInstalled } from './install.mjs'

/** Writes which packages the shop is made of: reports/bom.cdx.json. */
ensureInstalled()
become(['scripts/bill-of-materials.ts', ...process.argv.slice(2)])
