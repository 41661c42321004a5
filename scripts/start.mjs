import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled, node, root } from './install.mjs'

ensureInstalled()
ensureBuilt()

const server = join(root, 'dist/server/main.js')
const args = ['--enable-source-maps', server, ...process.argv.slice(2)]
// React renders a good deal slower when it is not told that this is no development.
const env = { ...process.env, NODE_ENV: process.env.NODE_ENV || 'production' }
process.chdir(root)

// Becoming the server, instead of watching over it, leaves no process between a signal and the one it is meant for.
if (process.execve && process.platform !== 'win32') {
  process.execve(node, [node, ...args], env)
}

const shop = spawn(node, args, { env, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // A terminal sends its Ctrl-C to the whole group: passing it on as well would make two of it.
  process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : shop.kill(signal)))
}
shop.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143)
})
