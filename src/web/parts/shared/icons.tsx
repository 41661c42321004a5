/** Icons of the frame, drawn with the stroke of `.icon`. A text beside each has the meaning. */

export function SearchIcon() {
  return <Icon path="m15.5 15.5 5 5M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13Z" />
}

export function MenuIcon() {
  return <Icon path="M3 8h18M3 16h18" />
}

export function AccountIcon() {
  return <Icon path="M4 21c0-4 3.5-6.5 8-6.5s8 2.5 8 6.5M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z" />
}

export function CartIcon() {
  return <Icon path="M5 8h14l1 13H4L5 8Zm4 3V7a3 3 0 0 1 6 0v4" />
}

export function CloseIcon() {
  return <Icon path="m6 6 12 12M18 6 6 18" />
}

export function UpIcon() {
  return <Icon path="M12 20V5m-6 6 6-6 6 6" />
}

function Icon({ path }: { path: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
