import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Starts a Node process and waits for the line that says that it is ready. */
export async function started(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
): Promise<{ child: ChildProcess; ms: number }> {
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (ready.test(printed)) resolve()
      else printed = printed.slice(-10_000)
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (!stopping.has(child)) console.error(`${args.join(' ')} ended with ${code ?? signal}: ${printed}`)
      reject(new Error(`${args.join(' ')} ended`))
    })
  })
  return { child, ms: performance.now() - began }
}

const stopping = new WeakSet<ChildProcess>()

export async function ended(child: ChildProcess): Promise<void> {
  stopping.add(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  await exit
}
