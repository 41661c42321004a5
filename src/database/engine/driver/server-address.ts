import type { ConnectionOptions } from './connection.ts'

const encryptionOf: Readonly<Record<string, ConnectionOptions['encryption']>> = {
  disable: 'none',
  allow: 'unverified',
  prefer: 'preferred',
  require: 'unverified',
  'no-verify': 'unverified',
  'verify-ca': 'verified',
  'verify-full': 'verified',
}

/**
 * Parses a database URL. `postgres://user@localhost/name?host=/folder` is libpq's form of a Unix socket. Other parameters
 * are settings of the session.
 */
export function serverOf(
  url: string,
  name: string,
  settings: Readonly<Record<string, string>>,
): Pick<ConnectionOptions, 'server' | 'encryption'> {
  const { username, password, hostname, port, pathname, searchParams } = new URL(url)
  const { host, sslmode, options, ...others } = Object.fromEntries(searchParams)
  const session = Object.entries({ ...others, ...settings }).map(([key, value]) => `-c ${key}=${escaped(value)}`)
  const allOptions = [options, ...session].filter((one) => one !== undefined).join(' ')
  return {
    server: {
      host: host ?? hostname,
      ...(port && { port: Number(port) }),
      ...(username && { user: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(pathname.length > 1 && { database: decodeURIComponent(pathname.slice(1)) }),
      application_name: name,
      ...(allOptions && { options: allOptions }),
    },
    encryption: encryptionOf[sslmode ?? 'disable'] ?? 'verified',
  }
}

/** As the server splits options (PostgreSQL, "libpq", connection parameter `options`). */
const escaped = (value: string): string => value.replace(/[\\\s]/g, '\\$&')
