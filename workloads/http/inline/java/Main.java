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
        if (args.length == 1 && args[0].equals("probe")) {
            Bridge.start(1);
            Probe.serve(Bridge.answers());
        } else if (args.length == 4) {
            int cores = Integer.parseInt(args[1]);
            int threads = args[3].isEmpty() ? cores : cores * WAITING;
            Bridge.start(cores);
            new Server(Integer.parseInt(args[0]), threads, args[2], args[3]).start();
        } else {
            System.err.println("usage: Main PORT CORES SQLITE-FILE POSTGRESQL-URI | Main probe");
            System.exit(2);
        }
    }
}
