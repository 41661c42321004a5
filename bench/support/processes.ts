import { readdirSync, readFileSync } from 'node:fs'

/** What Linux says of a process; '' when it is gone or this is no Linux. */
export function processFile(pid: number, name: 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

const ticksPerSecond = 100

/** Processor time of a process so far, in seconds; of its children too where `withChildren`. */
export function cpuSeconds(pid: number, { withChildren = false } = {}): number {
  const own = ticksOf(pid)
  const children = withChildren ? childrenOf(pid).reduce((sum, child) => sum + ticksOf(child), 0) : 0
  return (own + children) / ticksPerSecond
}

/** Memory of a process that is in RAM now, in MB. */
export function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(processFile(pid, 'status'))?.[1] ?? 0) / 1024
}

/** User and system time. With `cutime` and `cstime` of the parent, children that have ended would count as well. */
function ticksOf(pid: number): number {
  const fields = processFile(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => new RegExp(`^PPid:\\s+${pid}$`, 'm').test(processFile(child, 'status')))
}
