import { ensureBuilt } from './build.mjs'
import { become, ensureInstalled } from './install.mjs'

ensureInstalled()
ensureBuilt()
// React renders a good deal slower when it is not told that this is no development.
become(['--enable-source-maps', 'dist/server/main.js', ...process.argv.slice(2)], {
  ...process.env,
  NODE_ENV: process.env.NODE_ENV || 'production',
})
