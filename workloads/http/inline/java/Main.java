/**
 * The program of wizzardo-http and of all bridges. `Bridge`, which each of them has for itself, says who makes the
 * answers.
 */
final class Main {
    /** A query keeps its thread waiting while PostgreSQL works: so there are more of them. */
    private static final int WAITING = 16;

    private Main() {
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 3) {
            System.err.println("usage: Main ROLE PORT CORES, with the database in SQLITE or POSTGRESQL");
            System.exit(2);
        }
        int cores = Integer.parseInt(args[2]);
        Bridge.start(cores);
        if (args[0].equals("probe")) {
            Probe.serve(Bridge.answers());
        } else {
            String sqlite = System.getenv().getOrDefault("SQLITE", "");
            String postgresql = System.getenv().getOrDefault("POSTGRESQL", "");
            Rows[] rows = new Rows[postgresql.isEmpty() ? cores : cores * WAITING];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = Rows.open(sqlite, postgresql);
            }
            new Server(Integer.parseInt(args[1]), rows).start();
        }
    }
}
