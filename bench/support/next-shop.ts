import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type UserConfig } from 'vite'
import { freePort } from '#server/payments/demo-emulator.ts'

/** Exactly this one, so that figures of different days can be compared. */
export const nextVersion = '16.4.6'

const root = join(import.meta.dirname, '../..')
/** Kept between runs. Within the project, so that what the page is made of finds the project's packages. */
const folder = join(root, 'dist/next-bench')
const tree = join(import.meta.dirname, 'next-tree')
export type NextShop = AsyncDisposable & { readonly url: string; readonly pid: number }

/**
 * The listing of the bench shop as a page of Next.js that is rendered for every request, built and started as its guide says: at
 * `/shop` of server components, at `/hydrated` as one client component.
 * @returns null where npm cannot fetch it
 */
export async function aNextShop(databaseUrl: string): Promise<NextShop | null> {
  await mkdir(folder, { recursive: true })
  if (!(await install())) return null
  await bundleTree()
  await cp(join(import.meta.dirname, 'next-app'), folder, { recursive: true })
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    DATABASE_URL: databaseUrl,
  } as const
  const cli = join(folder, 'node_modules/next/dist/bin/next')
  const built = spawnSync(process.execPath, [cli, 'build'], { cwd: folder, env, encoding: 'utf8', timeout: 180_000 })
  if (built.status !== 0) throw new Error(`next build: ${built.stdout}${built.stderr}`)
  const port = String(await freePort(4700))
  const child = spawn(process.execPath, [cli, 'start', '--hostname', '127.0.0.1', '--port', port], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await opened(child)
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      const exit = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await exit
    },
  }
}

async function install(): Promise<boolean> {
  const versionIn = async (place: string) => {
    const text = await readFile(join(place, 'package.json'), 'utf8').catch(() => '{}')
    return String(JSON.parse(text).version)
  }
  const dependencies: Record<string, string> = { next: nextVersion }
  for (const name of ['react', 'react-dom']) dependencies[name] = await versionIn(join(root, 'node_modules', name))
  const has = await Promise.all(Object.keys(dependencies).map((name) => versionIn(join(folder, 'node_modules', name))))
  if (Object.values(dependencies).every((version, at) => version === has[at])) return true
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  const { status } = spawnSync('npm', ['install', ...quietly], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 180_000,
  })
  return status === 0
}

/** The components as modules for Next.js: with the reading of facts for the server, and without for the browser. */
async function bundleTree(): Promise<void> {
  const reactWithoutContext = {
    name: 'react-without-context',
    enforce: 'pre' as const,
    resolveId: (source: string, importer: string | undefined) =>
      source === 'react' && importer?.startsWith(join(root, 'src')) ? join(tree, 'react.ts') : null,
  }
  await bundle('listing-tree', 'listing.tsx', { plugins: [reactWithoutContext] })
  await bundle('listing-view', 'listing-view.tsx', { ssr: { noExternal: true, external: ['react'] } })
}

async function bundle(name: string, input: string, options: Pick<UserConfig, 'plugins' | 'ssr'>): Promise<void> {
  const outDir = join(folder, 'node_modules', name)
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ...options,
    build: {
      ssr: true,
      outDir,
      target: 'node24',
      rolldownOptions: { input: join(tree, input), output: { entryFileNames: 'index.js' } },
    },
  })
  await writeFile(join(outDir, 'package.json'), JSON.stringify({ name, type: 'module', main: 'index.js' }))
}

function opened(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (/Ready in/.test(printed)) resolve()
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`next start ended with ${code}: ${printed}`)))
  })
}
