import { spawn } from 'node:child_process'

/**
 * Runs a file of ours in a process of its own, so that what it does takes nothing from whoever measures.
 * @param wanted becomes its one argument, as JSON
 * @returns what it printed, which is JSON as well
 * @throws where it fails
 */
export async function inOwnProcess<Told>(file: string, wanted: object): Promise<Told> {
  const child = spawn(process.execPath, [file, JSON.stringify(wanted)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${file} ended with ${code}`)
  return JSON.parse(printed)
}
