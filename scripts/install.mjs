import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Plain JavaScript without packages: this runs before they are there, on whatever Node the system has. */
export const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')

/** The Node that the lock file names, at home in node_modules. */
export const node = join(root, 'node_modules/.bin/node')

export const say = (message) => console.error(`\x1b[2m›\x1b[0m ${message}`)

/** Installs the packages when they are missing or the lock file has changed. */
export function ensureInstalled() {
  const lock = join(root, 'package-lock.json')
  const stamp = join(root, 'node_modules/.vitrine-installed')
  const wanted = createHash('sha256').update(readFileSync(lock)).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  if (!installedByHand(lock)) {
    say(
      existsSync(join(root, 'node_modules'))
        ? 'The lock file has changed: installing packages…'
        : 'Installing packages (once)…',
    )
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  }
  if (!existsSync(node))
    fail('Node 24 is missing in node_modules: run "npm ci" and look at what it says about the package "node"')
  writeFileSync(stamp, wanted)
}

/** npm writes this file last, so one that is newer than the lock file means a finished install of it. */
function installedByHand(lock) {
  const done = join(root, 'node_modules/.package-lock.json')
  return existsSync(node) && existsSync(done) && statSync(done).mtimeMs >= statSync(lock).mtimeMs
}

/** Runs a command in the project, its output shown; ends this process with its exit code when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (error) fail(`${command} does not run: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * Hands this process over to another program in the project's Node. Becoming it, instead of watching over it, leaves no
 * process between a signal and the one it is meant for.
 */
export function become(args, env = process.env) {
  process.chdir(root)
  if (process.execve && process.platform !== 'win32') process.execve(node, [node, ...args], env)

  const program = spawn(node, args, { env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends its Ctrl-C to the whole group: passing it on as well would make two of it.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : program.kill(signal)))
  }
  program.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143)
  })
}

export function fail(message) {
  console.error(message)
  process.exit(1)
}
