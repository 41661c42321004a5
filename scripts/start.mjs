import { ensureBuilt } from './build.mjs'
import { become, ensureInstalled } from './install.mjs'
// What a page leaves behind is collected in small portions: a few pages in a hundred fewer, and a hundred megabytes less.
import serverFlags from './server-flags.json' with { type: 'json' }

ensureInstalled()
ensureBuilt()
// React renders a good deal slower when it is not told that this is no development.
become([...serverFlags, 'dist/server/main.js', ...process.argv.slice(2)], {
  ...process.env,
  NODE_ENV: process.env.NODE_ENV || 'production',
})
