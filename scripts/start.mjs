import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { become, ensureInstalled, root } from './install.mjs'
// What a page leaves behind is collected in small portions: a few pages in a hundred fewer, and a hundred megabytes less. What
// the compressing threads let go is given back to the system: thirty megabytes less.
import serverProcess from './server-process.json' with { type: 'json' }

ensureInstalled()
ensureBuilt()
// What was compiled once is not compiled again by the next start, which is open a fifth sooner.
const compiled = join(root, 'dist/.compiled')
// React renders a good deal slower when it is not told that this is no development.
become([...serverProcess.flags, 'dist/server/main.js', ...process.argv.slice(2)], {
  ...serverProcess.env,
  ...process.env,
  NODE_ENV: process.env.NODE_ENV || 'production',
  // Who has not said that this is production reads lines at a terminal.
  ...(process.env.NODE_ENV ? {} : { LOG_FORMAT: process.env.LOG_FORMAT || 'auto' }),
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || compiled,
})
