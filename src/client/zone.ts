// The time zone of whoever makes the first account: the browser knows it, the server cannot.
const field = document.querySelector<HTMLInputElement>('input[data-own-zone]');
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
// What somebody has typed stays.
if (field && zone && field.value === field.defaultValue) field.value = zone;
