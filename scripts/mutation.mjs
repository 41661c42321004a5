import { existsSync } from 'node:fs'
import { become, ensureInstalled, run, say } from './install.mjs'

/** Changes the rules about money in small ways and lists the changes that no test notices. Arguments are passed on to Stryker. */
const folder = 'tests/mutation'
const stryker = `${folder}/node_modules/@stryker-mutator/core/bin/stryker.js`

ensureInstalled()
if (!existsSync(stryker)) {
  say('Installing Stryker (once)…')
  run('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'])
}
become([stryker, 'run', `${folder}/stryker.config.mjs`, ...process.argv.slice(2)])
